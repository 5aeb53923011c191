package blocked

import (
	"fmt"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

// A Filter is a blocked Bloom filter for one writer or any number of readers at
// a time. The zero Filter is not usable; make one with New, NewFromParams or a
// Builder.
type Filter struct{ writer }

// New returns an empty filter for capacity distinct keys whose false positive
// rate stays at or below fpRate, which is at least MinFPRate and below 1. More
// keys than the capacity can be added; the rate then grows, as Params.FPRate
// tells. Bad parameters give ErrInvalid, filters above a limit ErrTooLarge.
func New(capacity uint64, fpRate float64, opts ...Option) (*Filter, error) {
	p, err := ParamsFor(capacity, fpRate, opts...)
	if err != nil {
		return nil, err
	}
	f, err := NewFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = capacity, fpRate
	return f, nil
}

// NewFromParams returns an empty filter of the given geometry. Its Capacity is
// 0, not known.
func NewFromParams(p Params) (*Filter, error) {
	words, err := allocate(p)
	if err != nil {
		return nil, err
	}
	table := generic.NewTable(mem.Bytes(words), p.K).WithSeed(p.Seed)
	return &Filter{writer{reader: reader{table}}}, nil
}

// NewFromHeader returns an empty filter as a header describes it: of its geometry,
// with its capacity and its target rate.
func NewFromHeader(h Header) (*Filter, error) {
	if !(h.FPRate >= 0 && h.FPRate < 1) {
		return nil, fmt.Errorf("linebloom: %w: target rate is %g, want 0 (not known) to 1", ErrInvalid, h.FPRate)
	}
	f, err := NewFromParams(h.Params)
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = h.Capacity, h.FPRate
	return f, nil
}

// NewLike returns an empty filter of the same geometry and capacity.
func (f *Filter) NewLike() *Filter {
	g, err := NewFromParams(f.Params())
	if err != nil {
		panic(err) // f has these Params
	}
	g.capacity, g.fpRate = f.capacity, f.fpRate
	return g
}

// Clone returns a copy of the filter.
func (f *Filter) Clone() *Filter {
	g := f.NewLike()
	copy(g.table.Data(), f.table.Data())
	return g
}
