package blocked

import (
	"fmt"

	"github.com/linebloom/linebloom/generic"
)

// An AtomicFilter is a blocked Bloom filter that any number of goroutines read
// and add to at the same time, without locks. An Add that happened before a Has
// is seen by it. Its bits, and its answers, are those of a Filter.
//
// An add first tests the key and writes only what is missing, one atomic
// operation for each 64-bit word of the block that lacks a bit, so that keys
// which are there already cost what a test costs and cause no traffic between
// cores.
//
// Clear, and Intersect into the filter, are not for concurrent use with adds.
// The zero AtomicFilter is not usable.
type AtomicFilter struct{ writer }

// NewAtomic returns an empty filter, sized as New does.
func NewAtomic(capacity uint64, fpRate float64, opts ...Option) (*AtomicFilter, error) {
	p, err := ParamsFor(capacity, fpRate, opts...)
	if err != nil {
		return nil, err
	}
	f, err := NewAtomicFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = capacity, fpRate
	return f, nil
}

// NewAtomicFromParams returns an empty filter of the given geometry. Its
// Capacity is 0, not known.
func NewAtomicFromParams(p Params) (*AtomicFilter, error) {
	words, err := allocate(p)
	if err != nil {
		return nil, err
	}
	table := generic.NewShared(words, p.K).WithSeed(p.Seed)
	return &AtomicFilter{writer{reader: reader{table}}}, nil
}

// AtomicOf returns a filter of geometry p over memory that something else owns, a
// mapping that processes share for example, which it does not copy. words hold
// the blocks as 64-bit words in the CPU's byte order and must not be unmapped
// while the filter is used; whoever else changes them must use atomic
// operations. Its Capacity is 0. A wrong number of words gives ErrInvalid.
func AtomicOf(words []uint64, p Params) (*AtomicFilter, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if uint64(len(words)) != p.Bytes()/8 {
		return nil, fmt.Errorf("linebloom: %w: filter in %d words, want %d for %d blocks",
			ErrInvalid, len(words), p.Bytes()/8, p.Blocks)
	}
	return &AtomicFilter{writer{reader: reader{generic.NewShared(words, p.K).WithSeed(p.Seed)}}}, nil
}

// NewLike returns an empty filter of the same geometry and capacity.
func (f *AtomicFilter) NewLike() *AtomicFilter {
	g, err := NewAtomicFromParams(f.Params())
	if err != nil {
		panic(err) // f has these Params
	}
	g.capacity, g.fpRate = f.capacity, f.fpRate
	return g
}

// Clone returns a copy of the filter. It holds every key whose add happened
// before the call, and some of those that are added meanwhile.
func (f *AtomicFilter) Clone() *AtomicFilter {
	g := f.NewLike()
	generic.Union(g.table, f.table)
	return g
}
