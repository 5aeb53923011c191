package redis

import (
	"context"
	"errors"
	"io/fs"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// Drop removes the filter, unless another one of its name was made meanwhile.
func (f *Filter) Drop(ctx context.Context) error {
	if _, err := f.TTL(ctx); err != nil {
		return err
	}
	return drop(ctx, f.servers, f.name, len(f.shards))
}

// Drop removes the filter of a name, whatever state it is in: also one that is
// being made, or of which only parts are left. To remove what is not there is no
// error.
func Drop(ctx context.Context, client redis.UniversalClient, name string) error {
	s, _, err := prepare(client, name, nil)
	if err != nil {
		return err
	}
	return dropAny(ctx, s, name)
}

func dropAny(ctx context.Context, s servers, name string) error {
	shards := maxShards
	r, _, err := readRecord(ctx, s, name)
	switch {
	case err == nil:
		shards = r.shards
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrFilterLost),
		errors.Is(err, blocked.ErrCorrupt), errors.Is(err, blocked.ErrUnsupported):
		// How many shards there were cannot be known: all that there can be.
	default:
		return err
	}
	return drop(ctx, s, name, shards)
}

// drop removes the meta key first, so that nobody opens what is left.
func drop(ctx context.Context, s servers, name string, shards int) error {
	if err := s.universal().Unlink(ctx, metaKey(name)).Err(); err != nil {
		return err
	}
	return s.pipelined(ctx, shards, func(pipe redis.Pipeliner, i int) {
		pipe.Unlink(ctx, shardKey(name, i), temporaryKey(name, i))
	})
}
