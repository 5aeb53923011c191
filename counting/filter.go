package counting

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

// reads is the read side of a filter. The name keeps it out of the fields of a
// Filter that others see.
type reads = blocked.View

// A Filter is a blocked Bloom filter with counters. It has the methods of
// blocked.View, which read its bits: Has, HasString, HasUint64, HasHash, HasKeys,
// HasStrings, HasUint64s, HasHashes, SelectHashes, Params, FillRatio,
// EstimateCount, EstimateFPRate, View and so on. It is a blocked.Viewer, so that
// its View can stand in blocked.HasHashEach, and filterfile.Save saves its bits as
// a plain filter. It may be used by any number of goroutines, see the package. The
// zero Filter can only be decoded into; make one with New, NewFromParams or Open.
type Filter struct {
	reads
	bits     *blocked.AtomicFilter // those of reads, for adding
	table    generic.Table         // and for removing
	body     []byte                // bits and counters, as in a file
	counters []byte                // of body: counterBytes for each block
	capacity uint64                // 0: not known
	fpRate   float64               // that was asked for; 0: not known
	stripes  []stripe
}

// bodyBytes is the size of a block and its counters.
const bodyBytes = generic.BlockBytes + counterBytes

// New returns an empty filter for capacity distinct keys at a time, whose false
// positive rate stays at or below fpRate. Its parameters, options and errors are
// those of blocked.New; blocked.WithMaxBytes bounds all of its memory, five times
// Params.Bytes.
func New(capacity uint64, fpRate float64, opts ...blocked.Option) (*Filter, error) {
	p, err := blocked.ParamsFor(capacity, fpRate, opts...)
	if err != nil {
		return nil, err
	}
	most, err := blocked.MaxBytes(opts...)
	if err != nil {
		return nil, err
	}
	if need := p.Blocks * bodyBytes; need > most {
		return nil, fmt.Errorf("linebloom: %w: a filter with counters for %d keys needs %d bytes, the maximum is %d",
			blocked.ErrTooLarge, capacity, need, most)
	}
	f, err := NewFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = capacity, fpRate
	return f, nil
}

// NewFromParams returns an empty filter of the given geometry. Its Capacity is 0,
// not known.
func NewFromParams(p blocked.Params) (*Filter, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if need := p.Blocks * bodyBytes; need > math.MaxInt-4096 {
		return nil, fmt.Errorf("linebloom: %w: %d bytes, this CPU's address space ends at %d",
			blocked.ErrTooLarge, need, math.MaxInt)
	}
	return newFilter(mem.Words(int(p.Blocks*bodyBytes/8)), p)
}

// newFilter returns a filter of the bits and counters in body, not a copy. p is in
// range and body of the right length.
func newFilter(body []uint64, p blocked.Params) (*Filter, error) {
	words := body[:p.Blocks*generic.BlockBytes/8]
	bits, err := blocked.AtomicOf(words, p)
	if err != nil {
		return nil, err
	}
	all := mem.Bytes(body)
	return &Filter{
		reads:    bits.View(),
		bits:     bits,
		table:    generic.NewShared(words, p.K).WithSeed(p.Seed),
		body:     all,
		counters: all[8*len(words):],
		stripes:  newStripes(p.Blocks),
	}, nil
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

// Capacity returns the number of keys that the filter was made for, or 0 if it was
// made from Params.
func (f *Filter) Capacity() uint64 { return f.capacity }

// TargetFPRate returns the false positive rate that was asked for when the filter
// was made, or 0 if it was made from Params.
func (f *Filter) TargetFPRate() float64 { return f.fpRate }

// Len returns the number of keys: how many were added and not removed, a key that
// was added twice twice. It is exact as long as nothing was removed that had not
// been added.
func (f *Filter) Len() uint64 {
	f.lockAll()
	defer f.unlockAll()
	return f.keys()
}

// keys is Len. All locks are held.
func (f *Filter) keys() uint64 {
	n := int64(0)
	for i := range f.stripes {
		n += f.stripes[i].keys
	}
	return uint64(max(n, 0)) // below 0 if what was not there was removed
}

// Stuck returns the number of counters that have reached 15 and stay there, so
// that their bits are set for ever.
func (f *Filter) Stuck() uint64 {
	f.lockAll()
	defer f.unlockAll()
	n := uint64(0)
	for i := range f.stripes {
		n += f.stripes[i].stuck
	}
	return n
}
