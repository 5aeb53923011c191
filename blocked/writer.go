package blocked

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
	"github.com/linebloom/linebloom/internal/mem"
)

// writer is what Filter and AtomicFilter have in common: the read side, and
// adding. The table of an AtomicFilter is shared, and all operations on it are
// atomic then.
type writer struct {
	reader
	capacity uint64  // 0: not known
	fpRate   float64 // that was asked for; 0: not known
}

// allocate returns the zero words of a filter.
func allocate(p Params) ([]uint64, error) {
	if err := p.Check(); err != nil {
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
func (w *writer) Capacity() uint64 {
	return w.capacity
}

// TargetFPRate returns the false positive rate that was asked for when the filter
// was made, or 0 if it was made from Params.
func (w *writer) TargetFPRate() float64 {
	return w.fpRate
}

// Add adds key.
func (w *writer) Add(key []byte) {
	w.AddHash(HashKey(w.table.Seed(), key))
}

// AddString is Add of the bytes of s.
func (w *writer) AddString(s string) {
	w.AddHash(HashString(w.table.Seed(), s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (w *writer) AddUint64(x uint64) {
	w.AddHash(HashUint64(w.table.Seed(), x))
}

// AddHash is Add of the key whose HashKey is h.
func (w *writer) AddHash(h uint64) {
	one := [1]uint64{h}
	asm.AddHashes(w.table, one[:])
}

// TestAndAdd adds key and reports whether it may have been there before: false
// means that it certainly was not.
//
// On an AtomicFilter, of all concurrent calls with one key at most one returns
// false: it was not there, and this call added it. Exactly one does unless the
// bits of other keys made the key look present, a false positive, which is no
// more likely than the rate of the filter as those keys left it. What calls of
// Add, AddHashes and so on do at the same time counts as another call that does
// not tell its result.
func (w *writer) TestAndAdd(key []byte) bool {
	return w.TestAndAddHash(HashKey(w.table.Seed(), key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (w *writer) TestAndAddString(s string) bool {
	return w.TestAndAddHash(HashString(w.table.Seed(), s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (w *writer) TestAndAddUint64(x uint64) bool {
	return w.TestAndAddHash(HashUint64(w.table.Seed(), x))
}

// TestAndAddHash is TestAndAdd of the key whose HashKey is h.
func (w *writer) TestAndAddHash(h uint64) bool {
	if w.HasHash(h) {
		return true
	}
	if w.table.Shared() {
		return generic.TestAndAdd(w.table, h)
	}
	w.AddHash(h)
	return false
}

// AddHashes adds a batch of keys, given by their hashes. On an AtomicFilter
// others may see some of the keys before the rest.
func (w *writer) AddHashes(hashes []uint64) {
	asm.AddHashes(w.table, hashes)
}

// AddKeys adds a batch of keys, as AddHashes does.
func (w *writer) AddKeys(batch [][]byte) {
	w.addKeys(keys.OfBytes(batch))
}

// AddStrings adds a batch of keys, as AddHashes does.
func (w *writer) AddStrings(batch []string) {
	w.addKeys(keys.OfStrings(batch))
}

// AddUint64s adds a batch of keys, as AddHashes does.
func (w *writer) AddUint64s(batch []uint64) {
	w.addKeys(keys.OfUint64s(batch))
}

func (w *writer) addKeys(ks keys.Batch) {
	if ks.N <= keys.Few {
		var buf [keys.Few]uint64
		ks.Hash(buf[:ks.N], w.table.Seed(), 0)
		w.AddHashes(buf[:ks.N])
		return
	}
	w.addManyKeys(ks)
}

func (w *writer) addManyKeys(ks keys.Batch) {
	var buf [keys.Many]uint64
	for at := 0; at < ks.N; at += len(buf) {
		hashes := buf[:min(len(buf), ks.N-at)]
		ks.Hash(hashes, w.table.Seed(), at)
		w.AddHashes(hashes)
	}
}

// Clear removes all keys. On an AtomicFilter it is not atomic: a key that is
// added meanwhile may be lost, or keep some of its bits.
func (w *writer) Clear() {
	generic.Clear(w.table)
}
