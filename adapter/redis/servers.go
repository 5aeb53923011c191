package redis

import (
	"context"
	"fmt"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// servers is where a filter lives: one server, or a cluster. Exactly one of both
// is not nil.
type servers struct {
	single  *redis.Client
	cluster *redis.ClusterClient
}

// serversOf tells the kinds of clients apart. Those that read from replicas are
// refused, since what was added to a primary may not be there yet, and so are
// those that cache answers, or send a key to another server when one is down.
func serversOf(client redis.UniversalClient) (servers, error) {
	switch c := client.(type) {
	case *redis.Client:
		if o := c.Options(); o.ClientSideCache != nil || o.ClientSideCacheConfig != nil {
			return servers{}, invalid("client keeps answers in a cache, which are too old when others add")
		}
		return servers{single: c}, nil
	case *redis.ClusterClient:
		if o := c.Options(); o.ReadOnly || o.RouteByLatency || o.RouteRandomly {
			return servers{}, invalid("client reads from replicas, which may not have yet what was added")
		}
		return servers{cluster: c}, nil
	}
	return servers{}, fmt.Errorf("linebloom: %w: client of type %T, want *redis.Client or *redis.ClusterClient",
		blocked.ErrUnsupported, client)
}

// universal returns the client, which sends commands where they belong and sends
// them again when it gets no answer.

func (s servers) universal() redis.UniversalClient {
	if s.cluster != nil {
		return s.cluster
	}
	return s.single
}

// of returns the client of the server that has a key, as far as is known.
func (s servers) of(ctx context.Context, key string) (*redis.Client, error) {
	if s.cluster != nil {
		return s.cluster.MasterForKey(ctx, key)
	}
	return s.single, nil
}

// failed tells a cluster's client that a server did not answer: another may
// have taken over.
func (s servers) failed(ctx context.Context, err error) {
	if s.cluster != nil && err != nil && !refused(err) {
		s.cluster.ReloadState(ctx)
	}
}

// forEach calls fn for every primary.
func (s servers) forEach(ctx context.Context, fn func(context.Context, *redis.Client) error) error {
	if s.cluster != nil {
		return s.cluster.ForEachMaster(ctx, fn)
	}
	return fn(ctx, s.single)
}

// readTimeout returns after what time the client gives up waiting for an answer,
// or what is not above 0 for never.
func (s servers) readTimeout() time.Duration {
	if s.cluster != nil {
		return s.cluster.Options().ReadTimeout
	}
	return s.single.Options().ReadTimeout
}

// pipelined sends n commands, some hundreds at a time.
func (s servers) pipelined(ctx context.Context, n int, queue func(pipe redis.Pipeliner, i int)) error {
	const many = 512
	for from := 0; from < n; from += many {
		pipe := s.universal().Pipeline()
		for i := from; i < min(from+many, n); i++ {
			queue(pipe, i)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
