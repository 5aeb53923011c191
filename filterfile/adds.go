package filterfile

import (
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// Add adds key. Len does not count it.
func (s *Shared) Add(key []byte) {
	s.AddHash(blocked.HashKey(s.header.Seed, key))
}

// AddString is Add of the bytes of t.
func (s *Shared) AddString(t string) {
	s.AddHash(blocked.HashString(s.header.Seed, t))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (s *Shared) AddUint64(x uint64) {
	s.AddHash(blocked.HashUint64(s.header.Seed, x))
}

// AddHash is Add of the key whose blocked.HashKey is h.
func (s *Shared) AddHash(h uint64) {
	defer s.leave(s.enter())
	s.state.worsen(format.Estimate)
	s.filter.AddHash(h)
}

// AddKeys adds a batch of keys.
func (s *Shared) AddKeys(batch [][]byte) {
	defer s.leave(s.enter())
	s.state.worsen(format.Estimate)
	s.filter.AddKeys(batch)
}

// AddStrings adds a batch of keys.
func (s *Shared) AddStrings(batch []string) {
	defer s.leave(s.enter())
	s.state.worsen(format.Estimate)
	s.filter.AddStrings(batch)
}

// AddUint64s adds a batch of keys.
func (s *Shared) AddUint64s(batch []uint64) {
	defer s.leave(s.enter())
	s.state.worsen(format.Estimate)
	s.filter.AddUint64s(batch)
}

// AddHashes adds a batch of keys, given by their hashes.
func (s *Shared) AddHashes(hashes []uint64) {
	defer s.leave(s.enter())
	s.state.worsen(format.Estimate)
	s.filter.AddHashes(hashes)
}

// TestAndAdd adds key and reports whether it may have been there before, with
// the guarantees of blocked.AtomicFilter.TestAndAdd among all processes. Len
// counts the keys for which it returns false.
func (s *Shared) TestAndAdd(key []byte) bool {
	return s.TestAndAddHash(blocked.HashKey(s.header.Seed, key))
}

// TestAndAddString is TestAndAdd of the bytes of t.
func (s *Shared) TestAndAddString(t string) bool {
	return s.TestAndAddHash(blocked.HashString(s.header.Seed, t))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (s *Shared) TestAndAddUint64(x uint64) bool {
	return s.TestAndAddHash(blocked.HashUint64(s.header.Seed, x))
}

// TestAndAddHash is TestAndAdd of the key whose blocked.HashKey is h.
func (s *Shared) TestAndAddHash(h uint64) bool {
	defer s.leave(s.enter())
	there := s.filter.TestAndAddHash(h)
	if !there {
		s.state.add(1)
	}
	return there
}

// Union adds all keys of other, whose Params must be equal or the error wraps
// blocked.ErrIncompatible. It is safe for use at the same time as adds.
func (s *Shared) Union(other blocked.Viewer) error {
	return s.try(func() error {
		v := other.View()
		if v.Params() == s.Params() {
			s.state.worsen(format.Indeterminate)
		}
		return s.filter.Union(v)
	})
}

// Intersect keeps the bits that both filters have, see
// blocked.Filter.Intersect. A key that is added meanwhile may be lost, and a
// crash may leave some of the bits that should have gone, which does no harm but
// to the rate.
func (s *Shared) Intersect(other blocked.Viewer) error {
	return s.try(func() error {
		v := other.View()
		if v.Params() == s.Params() {
			s.state.worsen(format.Indeterminate)
		}
		return s.filter.Intersect(v)
	})
}
