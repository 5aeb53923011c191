package redis

import (
	"context"
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/generic"
)

// Save reads the filter into memory. Keys that are added meanwhile may be in it or
// not; all whose add returned before are. Memory is allocated only when the server
// has said that all shards are there.
func (f *Filter) Save(ctx context.Context) (*blocked.Filter, error) {
	g, _, err := f.save(ctx)
	return g, err
}

// SaveFile writes the filter to a file, as filterfile.Save does, with the metadata
// that was loaded with it. If nothing was added since it was loaded from a file,
// the two files are equal, byte for byte.
func (f *Filter) SaveFile(ctx context.Context, path string) error {
	g, sum, err := f.save(ctx)
	if err != nil {
		return err
	}
	h := &f.record.header
	if f.record.loaded && f.record.sum == sum {
		return filterfile.Save(path, counted{g, h.Count, blocked.CountState(h.CountState)}, h.Metadata)
	}
	return filterfile.Save(path, g, h.Metadata)
}

// counted is a filter whose count is known from when it was loaded.
type counted struct {
	*blocked.Filter
	count uint64
	state blocked.CountState
}

func (c counted) Len() (uint64, error)           { return c.count, nil }
func (c counted) CountState() blocked.CountState { return c.state }

// save also returns the checksum of the blocks, which tells whether they are those
// that were loaded.
func (f *Filter) save(ctx context.Context) (*blocked.Filter, uint32, error) {
	if err := f.checkShards(ctx); err != nil {
		return nil, 0, err
	}
	h := &f.record.header
	g, err := blocked.NewFromHeader(blocked.Header{Params: f.record.params, Capacity: h.Capacity, FPRate: h.FPRate})
	if err != nil {
		return nil, 0, err
	}
	var sum bodySum
	for i := range f.shards {
		first := uint64(i) * f.record.perShard * generic.BlockBytes
		if err := f.readShard(ctx, i, g.Blocks()[first:]); err != nil {
			return nil, 0, err
		}
	}
	sum.add(g.Blocks())
	return g, sum.total(), nil
}

// readShard reads the blocks of a shard into dst, and then looks whether it was
// there all the time.
func (f *Filter) readShard(ctx context.Context, i int, dst []byte) error {
	sh := &f.shards[i]
	for at := int64(0); at < sh.at; at += transfer {
		n := min(transfer, sh.at-at)
		p, err := f.servers.universal().GetRange(ctx, sh.key, at, at+n-1).Result()
		if err != nil {
			return err
		}
		if int64(len(p)) != n {
			return lost(sh.key, fmt.Sprintf("has %d bytes at %d, want %d", len(p), at, n))
		}
		copy(dst[at:], p)
	}
	return f.checkShard(ctx, i)
}
