package counting

import (
	"io"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// header returns the header, without the count, with the body at the first possible
// multiple of align.
func (f *Filter) header(metadata []byte, align int) *format.Header {
	p := f.Params()
	h := &format.Header{
		Layout: format.Counting, K: p.K, Seed: p.Seed, Blocks: p.Blocks,
		Capacity: f.capacity, FPRate: f.fpRate, Metadata: metadata,
		CountState: format.Exact,
	}
	h.Place(align)
	return h
}

// encode writes the filter with the header h.
func (f *Filter) encode(w io.Writer, h *format.Header) (int64, error) {
	f.lockAll()
	defer f.unlockAll() // also if w panics
	h.Count = f.keys()
	return format.Encode(w, h, func(p []byte, at uint64) { copy(p, f.body[at:]) })
}

// MarshalBinary returns the filter as bytes, in the format of docs/FORMAT.md: bits,
// counters, the number of keys and about 200 bytes, with checksums. Package gob uses
// it. The error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends what MarshalBinary returns to b.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	h := f.header(nil, generic.BlockBytes)
	return h.AppendTo(b, func(w io.Writer) (int64, error) { return f.encode(w, h) })
}

// MarshalText returns what MarshalBinary returns in base64 (RFC 4648, section 4,
// with padding). Package json uses it. The error is always nil.
func (f *Filter) MarshalText() ([]byte, error) { return format.Text(f.AppendBinary(nil)) }

// WriteTo writes what MarshalBinary returns to dst, in chunks of 64 KiB. It returns
// the number of bytes that were written and the error of dst. Adds and removes wait
// until it has been written, so dst must not add or remove; where others cannot wait
// for a slow dst, write a Clone.
func (f *Filter) WriteTo(dst io.Writer) (int64, error) {
	return f.encode(dst, f.header(nil, generic.BlockBytes))
}
