package blocked

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

// A Filter is a blocked Bloom filter for one writer or any number of readers at
// a time. The zero Filter is not usable; make one with New, NewFromParams or a
// Builder.
type Filter struct {
	reader
	words    []uint64 // the memory of reader.table
	capacity uint64
}

// New returns an empty filter for capacity distinct keys whose false positive
// rate stays at or below fpRate, which is at least MinFPRate and below 1. More
// keys than the capacity can be added; the rate then grows, as Params.FPRate
// tells. Bad parameters give ErrInvalid, filters above a limit ErrTooLarge.
func New(capacity uint64, fpRate float64, opts ...Option) (*Filter, error) {
	p, err := newParams(capacity, fpRate, opts)
	if err != nil {
		return nil, err
	}
	f, err := NewFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity = capacity
	return f, nil
}

// newParams sizes a filter with options.
func newParams(capacity uint64, fpRate float64, opts []Option) (Params, error) {
	c, err := newConfig(opts)
	if err != nil {
		return Params{}, err
	}
	return paramsFor(capacity, fpRate, c)
}

// NewFromParams returns an empty filter of the given geometry. Its Capacity is
// 0, not known.
func NewFromParams(p Params) (*Filter, error) {
	words, err := allocate(p)
	if err != nil {
		return nil, err
	}
	return &Filter{reader: reader{table: generic.NewTable(mem.Bytes(words), p.K), seed: p.Seed}, words: words}, nil
}

// allocate returns the zero words of a filter.
func allocate(p Params) ([]uint64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Bytes() > math.MaxInt-4096 {
		return nil, fmt.Errorf("linebloom: %w: %d bytes, this CPU's address space ends at %d",
			ErrTooLarge, p.Bytes(), math.MaxInt)
	}
	return mem.Words(int(p.Bytes() / 8)), nil
}

// Capacity returns the number of keys that the filter was made for, or 0 if it
// was made from Params.
func (f *Filter) Capacity() uint64 {
	return f.capacity
}

// HasHash is Has of the key whose HashKey is h.
func (f *Filter) HasHash(h uint64) bool {
	// As reader.HasHash, which would be inlined with a copy of the reader: that
	// takes longer than the test.
	return asm.Has(f.table, nil, h)
}

// Has reports whether key may have been added: false is certain.
func (f *Filter) Has(key []byte) bool {
	return f.HasHash(HashKey(f.seed, key))
}

// HasString is Has of the bytes of s.
func (f *Filter) HasString(s string) bool {
	return f.HasHash(HashString(f.seed, s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (f *Filter) HasUint64(x uint64) bool {
	return f.HasHash(HashUint64(f.seed, x))
}

// Add adds key.
func (f *Filter) Add(key []byte) {
	f.AddHash(HashKey(f.seed, key))
}

// AddString is Add of the bytes of s.
func (f *Filter) AddString(s string) {
	f.AddHash(HashString(f.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (f *Filter) AddUint64(x uint64) {
	f.AddHash(HashUint64(f.seed, x))
}

// AddHash is Add of the key whose HashKey is h.
func (f *Filter) AddHash(h uint64) {
	one := [1]uint64{h}
	asm.AddHashes(f.table, one[:])
}

// TestAndAdd adds key and reports whether it may have been there before: false
// means that it certainly was not.
func (f *Filter) TestAndAdd(key []byte) bool {
	return f.TestAndAddHash(HashKey(f.seed, key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (f *Filter) TestAndAddString(s string) bool {
	return f.TestAndAddHash(HashString(f.seed, s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (f *Filter) TestAndAddUint64(x uint64) bool {
	return f.TestAndAddHash(HashUint64(f.seed, x))
}

// TestAndAddHash is TestAndAdd of the key whose HashKey is h.
func (f *Filter) TestAndAddHash(h uint64) bool {
	if f.HasHash(h) {
		return true
	}
	f.AddHash(h)
	return false
}

// AddHashes adds a batch of keys, given by their hashes.
func (f *Filter) AddHashes(hashes []uint64) {
	asm.AddHashes(f.table, hashes)
}

// AddKeys adds a batch of keys.
func (f *Filter) AddKeys(batch [][]byte) {
	f.addKeys(keys{n: len(batch), bytes: batch})
}

// AddStrings adds a batch of keys.
func (f *Filter) AddStrings(batch []string) {
	f.addKeys(keys{n: len(batch), strings: batch})
}

// AddUint64s adds a batch of keys.
func (f *Filter) AddUint64s(batch []uint64) {
	f.addKeys(keys{n: len(batch), uint64s: batch})
}

func (f *Filter) addKeys(ks keys) {
	if ks.n <= smallBatch {
		var buf [smallBatch]uint64
		ks.hash(buf[:ks.n], f.seed, 0)
		f.AddHashes(buf[:ks.n])
		return
	}
	f.addManyKeys(ks)
}

func (f *Filter) addManyKeys(ks keys) {
	var buf [largeBatch]uint64
	for at := 0; at < ks.n; at += len(buf) {
		hashes := buf[:min(len(buf), ks.n-at)]
		ks.hash(hashes, f.seed, at)
		f.AddHashes(hashes)
	}
}

// NewLike returns an empty filter of the same geometry and capacity.
func (f *Filter) NewLike() *Filter {
	g, err := NewFromParams(f.Params())
	if err != nil {
		panic(err) // f has these Params
	}
	g.capacity = f.capacity
	return g
}

// Clone returns a copy of the filter.
func (f *Filter) Clone() *Filter {
	g := f.NewLike()
	copy(g.words, f.words)
	return g
}

// Clear removes all keys.
func (f *Filter) Clear() {
	clear(f.words)
}
