package scalable

import (
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/keys"
)

// Add adds key unless it is there already. Its error wraps blocked.ErrTooLarge: the
// key was not there, and the filter could not grow to take it.
func (f *Filter) Add(key []byte) error {
	return f.AddHash(blocked.HashKey(f.seed, key))
}

// AddString is Add of the bytes of s.
func (f *Filter) AddString(s string) error {
	return f.AddHash(blocked.HashString(f.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (f *Filter) AddUint64(x uint64) error {
	return f.AddHash(blocked.HashUint64(f.seed, x))
}

// AddHash is Add of the key whose blocked.HashKey, with the filter's Seed, is h.
func (f *Filter) AddHash(h uint64) error {
	_, err := f.TestAndAddHash(h)
	return err
}

// TestAndAdd adds key and reports whether it may have been there before: false
// without an error means that it certainly was not, and is now. The error is that
// of Add.
//
// Of all concurrent calls with one key at most one returns false without an error,
// also while the filter grows. Exactly one does unless the bits of other keys made
// the key look present, or nobody could add it. What Add and its like do at the
// same time counts as another call that does not tell its result.
func (f *Filter) TestAndAdd(key []byte) (bool, error) {
	return f.TestAndAddHash(blocked.HashKey(f.seed, key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (f *Filter) TestAndAddString(s string) (bool, error) {
	return f.TestAndAddHash(blocked.HashString(f.seed, s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (f *Filter) TestAndAddUint64(x uint64) (bool, error) {
	return f.TestAndAddHash(blocked.HashUint64(f.seed, x))
}

// TestAndAddHash is TestAndAdd of the key whose blocked.HashKey is h.
func (f *Filter) TestAndAddHash(h uint64) (bool, error) {
	for {
		c := f.chain.Load()
		if c.has(h) {
			return true, nil
		}
		if l := c.newest(); l.reserve(1) != 0 {
			if l.filter.TestAndAddHash(h) {
				l.settle(1, 0)
				return true, nil
			}
			l.settle(1, 1)
			return false, nil
		}
		if err := f.grow(c); err != nil {
			return false, err
		}
	}
}

// AddHashes adds a batch of keys, given by their hashes, in order. When the filter
// cannot grow any more it returns the error of Add: the keys of the batch up to
// some position were added as far as they were not there, and those behind it were
// not. Has tells them apart. Others may see some of the keys before the rest.
func (f *Filter) AddHashes(hashes []uint64) error {
	for at := 0; at < len(hashes); at += keys.Many {
		if err := f.addChunk(hashes[at:min(at+keys.Many, len(hashes))]); err != nil {
			return err
		}
	}
	return nil
}

// addChunk adds up to keys.Many keys.
func (f *Filter) addChunk(hashes []uint64) error {
	var answers [keys.Many / 64]uint64
	var absent [keys.Many]uint64
	for {
		c := f.chain.Load()
		if c.hasHashes(answers[:], hashes) == len(hashes) {
			return nil
		}
		n := keepMissed(absent[:], nil, hashes, nil, answers[:])
		l := c.newest()
		places := l.reserve(uint64(n))
		if places == 0 {
			if err := f.grow(c); err != nil {
				return err
			}
		}
		// The lines are in the cache, and a key that is in the batch twice must be
		// counted once.
		isNew := uint64(0)
		for _, h := range absent[:places] {
			if !l.filter.TestAndAddHash(h) {
				isNew++
			}
		}
		l.settle(places, isNew)
		hashes = absent[places:n] // which the link was too full for
	}
}

// AddKeys adds a batch of keys, as AddHashes does.
func (f *Filter) AddKeys(batch [][]byte) error { return f.addKeys(keys.OfBytes(batch)) }

// AddStrings adds a batch of keys, as AddHashes does.
func (f *Filter) AddStrings(batch []string) error { return f.addKeys(keys.OfStrings(batch)) }

// AddUint64s adds a batch of keys, as AddHashes does.
func (f *Filter) AddUint64s(batch []uint64) error { return f.addKeys(keys.OfUint64s(batch)) }

func (f *Filter) addKeys(ks keys.Batch) error {
	if ks.N <= keys.Few {
		var buf [keys.Few]uint64
		ks.Hash(buf[:ks.N], f.seed, 0)
		return f.AddHashes(buf[:ks.N])
	}
	return f.addManyKeys(ks)
}

func (f *Filter) addManyKeys(ks keys.Batch) error {
	var buf [keys.Many]uint64
	for at := 0; at < ks.N; at += len(buf) {
		hashes := buf[:min(len(buf), ks.N-at)]
		ks.Hash(hashes, f.seed, at)
		if err := f.addChunk(hashes); err != nil {
			return err
		}
	}
	return nil
}
