package redis

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/redis/go-redis/v9"
)

// Expire makes the whole filter expire after ttl, all its keys at the same time of
// the server's clock; in a cluster, of the clock of the server that has the meta
// key. Later calls change the time. Whoever uses the filter afterwards gets
// ErrFilterLost.
func (f *Filter) Expire(ctx context.Context, ttl time.Duration) error {
	if ttl < time.Millisecond {
		return invalid("time to live of %v, want at least 1 ms", ttl)
	}
	if err := f.config.check(ctx, f.servers, true); err != nil {
		return err
	}
	server, err := f.servers.of(ctx, metaKey(f.name))
	if err != nil {
		return err
	}
	now, err := server.Time(ctx).Result()
	if err != nil {
		return err
	}
	at := now.Add(ttl)
	keys := f.keys()
	set := make([]*redis.BoolCmd, len(keys))
	err = f.servers.pipelined(ctx, len(keys), func(pipe redis.Pipeliner, i int) {
		set[i] = pipe.PExpireAt(ctx, keys[i], at)
	})
	if err != nil {
		return err
	}
	for i, key := range keys {
		if !set[i].Val() {
			return lost(key, "is not there")
		}
	}
	return nil
}

// Persist takes the time to live away.
func (f *Filter) Persist(ctx context.Context) error {
	keys := f.keys()
	err := f.servers.pipelined(ctx, len(keys), func(pipe redis.Pipeliner, i int) { pipe.Persist(ctx, keys[i]) })
	if err != nil {
		return err
	}
	return f.checkShards(ctx)
}

// TTL returns how long the filter will be there, or a negative time: for ever.
func (f *Filter) TTL(ctx context.Context) (time.Duration, error) {
	r, ttl, err := readRecord(ctx, f.servers, f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, lost(metaKey(f.name), "is not there")
	}
	if err != nil {
		return 0, err
	}
	if r.id != f.record.id {
		return 0, lost(metaKey(f.name), "is that of another filter")
	}
	return ttl, nil
}

// keys returns all keys of the filter, the meta key last.
func (f *Filter) keys() []string {
	keys := make([]string, 0, len(f.shards)+1)
	for i := range f.shards {
		keys = append(keys, f.shards[i].key)
	}
	return append(keys, metaKey(f.name))
}
