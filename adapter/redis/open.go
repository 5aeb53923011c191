package redis

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/redis/go-redis/v9"
)

// Open opens a filter that is in Redis. If there is none the error wraps
// fs.ErrNotExist, and if it is not complete, ErrNotReady. That its shards are
// there is checked whenever they are used.
func Open(ctx context.Context, client redis.UniversalClient, name string, opts ...Option) (*Filter, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	return openFilter(ctx, s, name, c)
}

func openFilter(ctx context.Context, s servers, name string, c config) (*Filter, error) {
	r, ttl, err := readRecord(ctx, s, name)
	if err != nil {
		return nil, err
	}
	if !r.ready {
		return nil, fmt.Errorf("linebloom: %w: %s", ErrNotReady, shorten(name))
	}
	if err := c.check(ctx, s, ttl > 0); err != nil {
		return nil, err
	}
	return newFilter(s, name, c, r), nil
}

// OpenOrCreate opens a filter, or creates it if there is none. One that is there
// keeps its geometry, whatever the arguments say. Of several clients that create it
// at the same time the others wait until it is ready. After FLUSHALL there is none:
// where that must not go unnoticed, use Open.
func OpenOrCreate(ctx context.Context, client redis.UniversalClient, name string, capacity uint64, fpRate float64, opts ...Option) (*Filter, error) {
	for {
		f, err := Open(ctx, client, name, opts...)
		if errors.Is(err, fs.ErrNotExist) {
			f, err = Create(ctx, client, name, capacity, fpRate, opts...)
		}
		if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, ErrNotReady) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// prepare checks what every function is given.
func prepare(client redis.UniversalClient, name string, opts []Option) (servers, config, error) {
	c, err := newConfig(opts)
	if err != nil {
		return servers{}, c, err
	}
	if err := checkName(name); err != nil {
		return servers{}, c, err
	}
	s, err := serversOf(client)
	return s, c, err
}

// readRecord reads the meta key of a filter, and how long it will be there: a
// negative time is for ever.
func readRecord(ctx context.Context, s servers, name string) (record, time.Duration, error) {
	key := metaKey(name)
	value := s.universal().GetRange(ctx, key, 0, maxMeta)
	switch err := value.Err(); {
	case wrongType(err):
		return record{}, 0, lost(key, "holds something else")
	case err != nil:
		return record{}, 0, err
	case value.Val() == "":
		return record{}, 0, fmt.Errorf("linebloom: filter %s: %w", shorten(name), fs.ErrNotExist)
	}
	r, err := parseRecord([]byte(value.Val()))
	if err != nil {
		return record{}, 0, err
	}
	ttl, err := s.universal().PTTL(ctx, key).Result()
	if err == nil && ttl == -2 { // it has expired since
		err = fmt.Errorf("linebloom: filter %s: %w", shorten(name), fs.ErrNotExist)
	}
	return r, ttl, err
}
