package counting

import (
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/keys"
)

// Add adds key, once more if it is there already.
func (f *Filter) Add(key []byte) {
	f.AddHash(blocked.HashKey(f.table.Seed(), key))
}

// AddString is Add of the bytes of s.
func (f *Filter) AddString(s string) {
	f.AddHash(blocked.HashString(f.table.Seed(), s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (f *Filter) AddUint64(x uint64) {
	f.AddHash(blocked.HashUint64(f.table.Seed(), x))
}

// AddHash is Add of the key whose blocked.HashKey is h.
func (f *Filter) AddHash(h uint64) {
	f.TestAndAddHash(h)
}

// TestAndAdd adds key, in any case, and reports whether it may have been there
// before: false means that it certainly was not. Who wants each key once calls
// Remove if it was.
//
// Of all concurrent calls with one key that is not there, and of those of Add,
// exactly one is the first; it gets false unless the bits of other keys make the key
// look present.
func (f *Filter) TestAndAdd(key []byte) bool {
	return f.TestAndAddHash(blocked.HashKey(f.table.Seed(), key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (f *Filter) TestAndAddString(s string) bool {
	return f.TestAndAddHash(blocked.HashString(f.table.Seed(), s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (f *Filter) TestAndAddUint64(x uint64) bool {
	return f.TestAndAddHash(blocked.HashUint64(f.table.Seed(), x))
}

// TestAndAddHash is TestAndAdd of the key whose blocked.HashKey is h.
func (f *Filter) TestAndAddHash(h uint64) bool {
	s := f.stripe(f.blockOf(h))
	s.Lock()
	defer s.Unlock()
	was := f.HasHash(h)
	if !was {
		f.bits.AddHash(h)
	}
	f.count(h)
	return was
}

// AddHashes adds a batch of keys, given by their hashes. Others may see some of the
// keys before the rest.
func (f *Filter) AddHashes(hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), groupKeys)
		f.addGroup(hashes[:n])
		hashes = hashes[n:]
	}
}

func (f *Filter) addGroup(hashes []uint64) {
	g := f.lockGroup(hashes)
	defer f.unlockGroup(&g)
	f.bits.AddHashes(hashes)
	for _, h := range hashes {
		f.count(h)
	}
}

// count counts a key whose lock is held.
func (f *Filter) count(h uint64) {
	block := f.blockOf(h)
	s := f.stripe(block)
	s.stuck += f.blockCounters(block).raise(uint32(h>>32), f.table.K())
	s.keys++
}

// AddKeys adds a batch of keys, as AddHashes does.
func (f *Filter) AddKeys(batch [][]byte) { f.addBatch(keys.OfBytes(batch)) }

// AddStrings adds a batch of keys, as AddHashes does.
func (f *Filter) AddStrings(batch []string) { f.addBatch(keys.OfStrings(batch)) }

// AddUint64s adds a batch of keys, as AddHashes does.
func (f *Filter) AddUint64s(batch []uint64) { f.addBatch(keys.OfUint64s(batch)) }

func (f *Filter) addBatch(b keys.Batch) {
	var buf [keys.Few]uint64
	for at := 0; at < b.N; at += len(buf) {
		hashes := buf[:min(len(buf), b.N-at)]
		b.Hash(hashes, f.table.Seed(), at)
		f.AddHashes(hashes)
	}
}
