package counting

import (
	"fmt"
	"io"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

// decoded returns the filter of what was read. body has the size that h says.
func decoded(h format.Header, body []uint64) (*Filter, error) {
	if err := h.CheckLayout(format.Counting); err != nil {
		return nil, err
	}
	if h.CountState != format.Exact {
		return nil, fmt.Errorf("linebloom: %w: state of the count is %d, with counters it is %d",
			blocked.ErrCorrupt, h.CountState, format.Exact)
	}
	if h.Count > math.MaxInt64 {
		return nil, fmt.Errorf("linebloom: %w: %d keys, want less than 2^63", blocked.ErrCorrupt, h.Count)
	}
	f, err := newFilter(body, blocked.Params{Blocks: h.Blocks, K: h.K, Seed: h.Seed})
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = h.Capacity, h.FPRate
	for i := range f.table.Words() {
		set, stuck := f.blockCounters(uint64(i / blockWords)).word(i % blockWords)
		if got := f.table.Word(i); got != set {
			return nil, fmt.Errorf("linebloom: %w: bits %d to %d of block %d are %#016x, their counters say %#016x",
				blocked.ErrCorrupt, i%blockWords*64, i%blockWords*64+63, i/blockWords, got, set)
		}
		f.stripes[0].stuck += stuck
	}
	f.stripes[0].keys = int64(h.Count)
	return f, nil
}

// UnmarshalBinary makes f the filter that MarshalBinary returned. It checks
// everything and leaves f as it was on an error, which wraps blocked.ErrCorrupt,
// ErrUnsupported or ErrUnclean. Bytes behind the filter are an error, and so are
// counters that do not agree with the bits. Views of f made before keep the old
// filter.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, body, err := format.DecodeBytes(data)
	if err != nil {
		return err
	}
	words := mem.Words(len(body) / 8)
	copy(mem.Bytes(words), body)
	g, err := decoded(h, words)
	if err == nil {
		*f = *g
	}
	return err
}

// UnmarshalText is UnmarshalBinary of base64.
func (f *Filter) UnmarshalText(text []byte) error {
	p, err := format.DecodeText(text)
	if err != nil {
		return err
	}
	return f.UnmarshalBinary(p)
}

// ReadFrom is UnmarshalBinary of all that r holds. It returns the number of bytes
// that were read. It never holds more than three times what it has read, and a MiB,
// whatever the header promises.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	h, body, n, err := format.Decode(r)
	if err != nil {
		return n, err
	}
	g, err := decoded(h, body)
	if err == nil {
		*f = *g
	}
	return n, err
}
