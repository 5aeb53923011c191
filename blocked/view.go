package blocked

import (
	"fmt"
	"unsafe"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
)

// A View reads a filter that lies in memory which something else owns: a mapped
// file, a block of an SSTable, a Filter. It is a small value; copy it freely. It
// may be used by any number of goroutines while nobody writes to the memory,
// and a view of an AtomicFilter at any time. The zero View is not usable.
type View struct{ reader }

// ViewOf returns a view of the filter with geometry p in data, which it does not
// copy. data may begin at any address and must not be changed or unmapped while
// the view is used. Its length must be p.Bytes(), or ViewOf returns ErrInvalid.
//
// What the bytes say is believed: a view of damaged bytes answers no for keys
// that were added. Check the bytes first.
func ViewOf(data []byte, p Params) (View, error) {
	if err := p.Check(); err != nil {
		return View{}, err
	}
	if uint64(len(data)) != p.Bytes() {
		return View{}, fmt.Errorf("linebloom: %w: view of %d bytes, want %d for %d blocks",
			ErrInvalid, len(data), p.Bytes(), p.Blocks)
	}
	return View{reader{generic.NewTable(data, p.K).WithSeed(p.Seed)}}, nil
}

// CopyOf returns a Filter with a copy of the bits of v, which was made for capacity
// keys at a rate of fpRate, each 0 if it is not known. A rate outside 0 to 1 gives
// ErrInvalid.
func CopyOf(v View, capacity uint64, fpRate float64) (*Filter, error) {
	if !(fpRate >= 0 && fpRate < 1) { // also refuses NaN
		return nil, fmt.Errorf("linebloom: %w: false positive rate is %g, want 0 (not known) to 1", ErrInvalid, fpRate)
	}
	f, err := NewFromParams(v.Params())
	if err != nil {
		return nil, err
	}
	v.Snapshot(f.Blocks(), 0)
	f.capacity, f.fpRate = capacity, fpRate
	return f, nil
}

// Snapshot copies the bytes of the blocks from at on into p. Both at and the
// length of p are multiples of 8. Of an AtomicFilter, it reads word by word what
// is there at that moment.
func (v View) Snapshot(p []byte, at uint64) {
	generic.Snapshot(p, v.table, at)
}

// HasHashEach asks many filters about one key, given by its hash: bit i%64 of
// dst[i/64] becomes the answer of filters[i]. It returns the number of hits. The
// filters must have been filled with hashes of the same seed, which need not be
// that of their Params; they may differ in size and k. dst has at least
// (len(filters)+63)/64 words, or HasHashEach panics.
//
// The lines of all filters are asked for before the first is tested, so that
// the key waits for memory once and not once per filter.
func HasHashEach(dst []uint64, filters []View, h uint64) int {
	// A View is a Table and nothing else, so that many are a slice of tables.
	tables := unsafe.Slice((*generic.Table)(unsafe.Pointer(unsafe.SliceData(filters))), len(filters))
	asm.HasEach(dst, tables, h)
	return countBits(dst[:generic.Words(len(filters))])
}
