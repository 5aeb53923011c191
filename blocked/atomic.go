package blocked

import (
	"sync/atomic"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
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
type AtomicFilter struct {
	reader
	capacity uint64
}

// NewAtomic returns an empty filter, sized as New does.
func NewAtomic(capacity uint64, fpRate float64, opts ...Option) (*AtomicFilter, error) {
	p, err := newParams(capacity, fpRate, opts)
	if err != nil {
		return nil, err
	}
	f, err := NewAtomicFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity = capacity
	return f, nil
}

// NewAtomicFromParams returns an empty filter of the given geometry. Its
// Capacity is 0, not known.
func NewAtomicFromParams(p Params) (*AtomicFilter, error) {
	words, err := allocate(p)
	if err != nil {
		return nil, err
	}
	return &AtomicFilter{reader: reader{table: generic.NewTable(mem.Bytes(words), p.K), shared: words, seed: p.Seed}}, nil
}

// Capacity returns the number of keys that the filter was made for, or 0 if it
// was made from Params.
func (f *AtomicFilter) Capacity() uint64 {
	return f.capacity
}

// HasHash is Has of the key whose HashKey is h.
func (f *AtomicFilter) HasHash(h uint64) bool {
	return asm.Has(f.table, f.shared, h) // without a copy, as in Filter.HasHash
}

// Has reports whether key may have been added: false is certain.
func (f *AtomicFilter) Has(key []byte) bool {
	return f.HasHash(HashKey(f.seed, key))
}

// HasString is Has of the bytes of s.
func (f *AtomicFilter) HasString(s string) bool {
	return f.HasHash(HashString(f.seed, s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (f *AtomicFilter) HasUint64(x uint64) bool {
	return f.HasHash(HashUint64(f.seed, x))
}

// Add adds key.
func (f *AtomicFilter) Add(key []byte) {
	f.AddHash(HashKey(f.seed, key))
}

// AddString is Add of the bytes of s.
func (f *AtomicFilter) AddString(s string) {
	f.AddHash(HashString(f.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (f *AtomicFilter) AddUint64(x uint64) {
	f.AddHash(HashUint64(f.seed, x))
}

// AddHash is Add of the key whose HashKey is h.
func (f *AtomicFilter) AddHash(h uint64) {
	generic.AddShared(f.shared, f.table.K(), h)
}

// TestAndAdd adds key and reports whether it may have been there before. Of all
// concurrent calls with one key at most one returns false: it was not there,
// and this call added it. Exactly one does unless the bits of other keys made
// the key look present, a false positive, which is no more likely than the rate
// of the filter as those keys left it.
//
// What calls of Add, AddHashes and so on do at the same time counts as another
// call that does not tell its result.
func (f *AtomicFilter) TestAndAdd(key []byte) bool {
	return f.TestAndAddHash(HashKey(f.seed, key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (f *AtomicFilter) TestAndAddString(s string) bool {
	return f.TestAndAddHash(HashString(f.seed, s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (f *AtomicFilter) TestAndAddUint64(x uint64) bool {
	return f.TestAndAddHash(HashUint64(f.seed, x))
}

// TestAndAddHash is TestAndAdd of the key whose HashKey is h.
func (f *AtomicFilter) TestAndAddHash(h uint64) bool {
	return f.HasHash(h) || generic.TestAndAddShared(f.shared, f.table.K(), h)
}

// AddHashes adds a batch of keys, given by their hashes. Each key of it is added
// on its own: others may see some of them before the rest.
func (f *AtomicFilter) AddHashes(hashes []uint64) {
	// The batch test finds the keys that are there already at its full speed,
	// and brings the lines of the others into the cache.
	var answers [largeBatch / 64]uint64
	for len(hashes) > 0 {
		batch := hashes[:min(len(hashes), largeBatch)]
		hashes = hashes[len(batch):]
		asm.HasHashes(answers[:], f.table, f.shared, batch)
		for i, h := range batch {
			if answers[i/64]>>(i%64)&1 == 0 {
				generic.AddShared(f.shared, f.table.K(), h)
			}
		}
	}
}

// AddKeys adds a batch of keys, as AddHashes does.
func (f *AtomicFilter) AddKeys(batch [][]byte) {
	f.addKeys(keys{n: len(batch), bytes: batch})
}

// AddStrings adds a batch of keys, as AddHashes does.
func (f *AtomicFilter) AddStrings(batch []string) {
	f.addKeys(keys{n: len(batch), strings: batch})
}

// AddUint64s adds a batch of keys, as AddHashes does.
func (f *AtomicFilter) AddUint64s(batch []uint64) {
	f.addKeys(keys{n: len(batch), uint64s: batch})
}

func (f *AtomicFilter) addKeys(ks keys) {
	var buf [smallBatch * 4]uint64
	for at := 0; at < ks.n; at += len(buf) {
		hashes := buf[:min(len(buf), ks.n-at)]
		ks.hash(hashes, f.seed, at)
		f.AddHashes(hashes)
	}
}

// NewLike returns an empty filter of the same geometry and capacity.
func (f *AtomicFilter) NewLike() *AtomicFilter {
	g, err := NewAtomicFromParams(f.Params())
	if err != nil {
		panic(err) // f has these Params
	}
	g.capacity = f.capacity
	return g
}

// Clone returns a copy of the filter. It holds every key whose add happened
// before the call, and some of those that are added meanwhile.
func (f *AtomicFilter) Clone() *AtomicFilter {
	g := f.NewLike()
	for i := range g.shared {
		g.shared[i] = f.word(i)
	}
	return g
}

// Clear removes all keys. It is not atomic: a key that is added meanwhile may be
// lost, or keep some of its bits.
func (f *AtomicFilter) Clear() {
	for i := range f.shared {
		atomic.StoreUint64(&f.shared[i], 0)
	}
}
