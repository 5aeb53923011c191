package scalable

import (
	"io"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// blockBytes is the size of a block, and what encoded blocks are aligned to.
const blockBytes = generic.BlockBytes

// stored is what is written of a filter: its links at one time, to which others
// may add meanwhile.
type stored struct {
	header  format.Header
	links   []*link
	records []byte // of the links, once their blocks were read
}

func (f *Filter) stored(metadata []byte, align int) *stored {
	c := f.chain.Load()
	s := &stored{
		links: c.links,
		header: format.Header{
			Layout:     format.Chain,
			K:          c.links[0].filter.Params().K,
			Seed:       f.seed,
			Blocks:     c.blocks(),
			Capacity:   f.capacity,
			FPRate:     f.fpRate,
			Links:      len(c.links),
			Metadata:   metadata,
			Count:      c.len(),
			CountState: format.Exact,
		},
	}
	s.header.Place(align)
	return s
}

// read copies the bytes of the body from at on into p. The keys are counted when
// all blocks were read: by their places, which they have before they have bits.
func (s *stored) read(p []byte, at uint64) {
	for _, l := range s.links {
		size := l.filter.Params().Bytes()
		if at < size {
			n := min(uint64(len(p)), size-at)
			l.filter.View().Snapshot(p[:n], at)
			p, at = p[n:], at+n
		}
		if len(p) == 0 {
			return
		}
		at -= size
	}
	if s.records == nil {
		var links []format.Link
		for _, l := range s.links {
			params := l.filter.Params()
			links = append(links, format.Link{
				Blocks: params.Blocks, K: params.K,
				Capacity: l.capacity, FPRate: l.fpRate, Count: l.reserved.Load(),
			})
		}
		s.records = format.AppendLinks(nil, links)
	}
	copy(p, s.records[at:])
}

func (s *stored) writeTo(w io.Writer) (int64, error) {
	return format.Encode(w, &s.header, s.read)
}

// MarshalBinary returns the filter as bytes, in the format of docs/FORMAT.md: its
// blocks, a few hundred bytes, and checksums. Of the keys that are added meanwhile
// some may be in it; all whose add happened before are. Package gob uses it. The
// error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends what MarshalBinary returns to b.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	s := f.stored(nil, blockBytes)
	return s.header.AppendTo(b, s.writeTo)
}

// MarshalText returns what MarshalBinary returns in base64 (RFC 4648, section 4,
// with padding). Package json uses it. The error is always nil.
func (f *Filter) MarshalText() ([]byte, error) { return format.Text(f.AppendBinary(nil)) }

// WriteTo writes what MarshalBinary returns to w, in chunks of 64 KiB. It returns
// the number of bytes that were written and the error of w.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	return f.stored(nil, blockBytes).writeTo(w)
}
