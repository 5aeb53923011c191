package redis

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/redis/go-redis/v9"
)

// Load puts a local filter into Redis: a blocked.Filter, a file of package
// filterfile, or another blocked.Viewer. It goes there in chunks, which are read
// back and compared before anybody can open the filter. Capacity, rate, count and
// metadata go with it. If there is a filter of that name the error wraps
// fs.ErrExist, unless Replace is given. Keys that are added to f meanwhile may be
// loaded or not.
func Load(ctx context.Context, client redis.UniversalClient, name string, f blocked.Viewer, opts ...Option) (*Filter, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	v := f.View()
	r := newRecord(v.Params(), 0, 0, c)
	describe(&r.header, f)
	return create(ctx, s, name, c, r, &source{view: v})
}

// describe fills in what a filter knows of its making, besides its geometry.
func describe(h *format.Header, f blocked.Viewer) {
	if made, ok := f.(interface {
		Capacity() uint64
		TargetFPRate() float64
	}); ok {
		h.Capacity, h.FPRate = made.Capacity(), made.TargetFPRate()
	}
	if file, ok := f.(interface{ Header() blocked.Header }); ok {
		at := file.Header()
		h.Metadata, h.Count, h.CountState = at.Metadata, at.Count, format.CountState(at.CountState)
	} else if n := f.View().EstimateCount(); n < math.MaxUint64 {
		h.Count, h.CountState = uint64(math.Round(n)), format.Estimate
	} else {
		h.CountState = format.Indeterminate
	}
	if counted, ok := f.(interface {
		Len() (uint64, error)
		CountState() blocked.CountState
	}); ok { // a shared file, which knows better than its header
		h.CountState = format.CountState(counted.CountState())
		h.Count, _ = counted.Len()
	}
}

// A source is what the shards of a new filter are filled from.
type source struct {
	view blocked.View
	sum  bodySum
}

// put writes the blocks of a shard, which begin at byte from of the filter, to a
// key, and reads them back.
func (s *source) put(ctx context.Context, client redis.UniversalClient, key string, from uint64, size int64) error {
	buf := make([]byte, min(transfer, size))
	for at := int64(0); at < size; at += transfer {
		p := buf[:min(transfer, size-at)]
		s.view.Snapshot(p, from+uint64(at))
		if err := client.SetRange(ctx, key, at, string(p)).Err(); err != nil {
			return err
		}
		back, err := client.GetRange(ctx, key, at, at+int64(len(p))-1).Result()
		if err != nil {
			return err
		}
		if back != string(p) {
			return fmt.Errorf("linebloom: %w: bytes %d to %d of key %q are not those that were written",
				blocked.ErrCorrupt, at, at+int64(len(p))-1, key)
		}
		s.sum.add(p)
	}
	return nil
}

// transfer is how many bytes of blocks go to Redis, or come from it, at a time.
const transfer = 1 << 20

// A bodySum computes the checksum of the checksums of a filter's chunks, as it
// stands at the end of a file. Shards need not end where chunks do.
type bodySum struct {
	chunk uint32 // of the bytes of the last chunk
	n     int    // how many these are
	sums  []byte // of the chunks before
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (b *bodySum) add(p []byte) {
	for len(p) > 0 {
		part := p[:min(len(p), format.ChunkBytes-b.n)]
		b.chunk, b.n, p = crc32.Update(b.chunk, castagnoli, part), b.n+len(part), p[len(part):]
		if b.n == format.ChunkBytes {
			b.end()
		}
	}
}

func (b *bodySum) end() {
	b.sums = binary.LittleEndian.AppendUint32(b.sums, b.chunk)
	b.chunk, b.n = 0, 0
}

func (b *bodySum) total() uint32 {
	if b.n > 0 {
		b.end()
	}
	return format.Checksum(b.sums)
}
