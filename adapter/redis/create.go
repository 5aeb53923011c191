package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/redis/go-redis/v9"
)

// Create makes an empty filter for capacity distinct keys whose false positive
// rate stays at or below fpRate, sized as blocked.New does it. If there is a filter
// of that name the error wraps fs.ErrExist, and if there are parts of one that was
// lost, ErrFilterLost, unless Replace is given. All of its memory is used at once.
func Create(ctx context.Context, client redis.UniversalClient, name string, capacity uint64, fpRate float64, opts ...Option) (*Filter, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	p, err := blocked.ParamsFor(capacity, fpRate, c.sizing...)
	if err != nil {
		return nil, err
	}
	return create(ctx, s, name, c, newRecord(p, capacity, fpRate, c), nil)
}

// CreateFromParams is Create with a given geometry. Its Capacity is 0, not known.
func CreateFromParams(ctx context.Context, client redis.UniversalClient, name string, p blocked.Params, opts ...Option) (*Filter, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(p.FPRate(1)) {
		return nil, invalid("%v, want 1 to 2^32 blocks and k from 1 to 16", p)
	}
	return create(ctx, s, name, c, newRecord(p, 0, 0, c), nil)
}

// newRecord returns the record of a new filter, with a random id.
func newRecord(p blocked.Params, capacity uint64, fpRate float64, c config) record {
	r := record{
		header: format.Header{
			Layout: format.Blocked, K: p.K, Seed: p.Seed, Blocks: p.Blocks,
			Capacity: capacity, FPRate: fpRate, CountState: format.Estimate,
		},
		layout: layoutOf(p, c.shardLimit),
	}
	rand.Read(r.id[:]) // never fails
	return r
}

// create makes a filter and fills it from src, or leaves it empty if that is nil.
func create(ctx context.Context, s servers, name string, c config, r record, src *source) (*Filter, error) {
	if err := c.check(ctx, s, c.ttl > 0); err != nil {
		return nil, err
	}
	f := newFilter(s, name, c, r)
	if err := f.claim(ctx); err != nil {
		return nil, err
	}
	for i := range f.shards {
		if err := f.putShard(ctx, i, src); err != nil {
			return nil, err
		}
	}
	if src != nil {
		f.record.loaded, f.record.sum = true, src.sum.total()
	}
	if err := f.finish(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// claim writes the meta key of a filter that is being filled. Who gets here first
// makes the filter.
func (f *Filter) claim(ctx context.Context) error {
	client, key, value := f.servers.universal(), metaKey(f.name), f.record.append(nil)
	if f.config.replace {
		return client.Set(ctx, key, value, 0).Err()
	}
	exists := fmt.Errorf("linebloom: filter %s: %w", shorten(f.name), fs.ErrExist)
	if remains, err := f.remains(ctx); err != nil {
		return err
	} else if remains != nil {
		// Or somebody began to make it a moment ago.
		if n, err := client.Exists(ctx, key).Result(); err != nil || n == 0 {
			return errors.Join(err, remains)
		}
		return exists
	}
	ok, err := client.SetNX(ctx, key, value, 0).Result()
	if err == nil && !ok {
		err = exists
	}
	return err
}

// remains looks for shards of an older filter, whose meta key was lost. To make an
// empty one in its place would hide that.
func (f *Filter) remains(ctx context.Context) (lostFilter, err error) {
	ends := make([]*redis.StringCmd, len(f.shards))
	err = f.servers.pipelined(ctx, len(f.shards), func(pipe redis.Pipeliner, i int) {
		ends[i] = pipe.GetRange(ctx, f.shards[i].key, -sentinelBytes, -1)
	})
	if err != nil && !wrongType(err) {
		return nil, err
	}
	for i, end := range ends {
		if s := end.Val(); len(s) == sentinelBytes && s[16:24] == sentinelMagic {
			return lost(metaKey(f.name), fmt.Sprintf("is not there, but %q is: Drop what is left, or Replace it", f.shards[i].key)), nil
		}
	}
	return nil, nil
}

// putShard makes a shard of zeros under a temporary key, fills it, and gives it its
// name. So no write of a client that is too late, or makes a filter of the same
// name, can reach into a shard that is in use.
func (f *Filter) putShard(ctx context.Context, i int, src *source) error {
	client, sh, temporary := f.servers.universal(), &f.shards[i], temporaryKey(f.name, i)
	if err := client.Unlink(ctx, temporary).Err(); err != nil {
		return err
	}
	if err := client.SetRange(ctx, temporary, sh.at, string(sh.sentinel[:])).Err(); err != nil {
		return err
	}
	if src != nil {
		first := uint64(i) * f.record.perShard * generic.BlockBytes
		if err := src.put(ctx, client, temporary, first, sh.at); err != nil {
			return err
		}
	}
	// If the answer was lost and the command was sent again, there is no such
	// key any more. What counts is what is there now.
	renamed := client.Rename(ctx, temporary, sh.key).Err()
	if err := f.checkShard(ctx, i); err != nil {
		return errors.Join(renamed, err)
	}
	return nil
}

// finish makes the filter ready, unless somebody else has replaced it meanwhile.
func (f *Filter) finish(ctx context.Context) error {
	if f.config.ttl > 0 {
		if err := f.Expire(ctx, f.config.ttl); err != nil {
			return err
		}
	}
	key := metaKey(f.name)
	f.record.ready = true
	done := f.record.append(nil)
	replaced := lost(key, "was replaced while the filter was made")
	err := f.servers.universal().Watch(ctx, func(tx *redis.Tx) error {
		now, err := tx.GetRange(ctx, key, 0, maxMeta).Result()
		if err != nil {
			return err
		}
		if r, err := parseRecord([]byte(now)); err != nil || r.id != f.record.id {
			return replaced
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			return pipe.Set(ctx, key, done, redis.KeepTTL).Err()
		})
		return err
	}, key)
	if errors.Is(err, redis.TxFailedErr) {
		return replaced
	}
	return err
}
