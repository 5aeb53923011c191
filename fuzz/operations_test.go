package fuzz

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// FuzzOperations runs a sequence of operations on a Filter and an AtomicFilter
// side by side with an exact set of keys. The filters never lose a key, and
// their bits stay equal to each other and to those of a filter that is built
// from the set at the end.
func FuzzOperations(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte{3, 7, 0, 1, 1, 2, 2, 3, 8, 0, 9, 1, 10, 0, 4, 4, 5, 5, 6, 6, 11, 3, 12, 12})
	f.Add([]byte("the quick brown fox jumps over the lazy dog, and over the filter"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) < 2 {
			return
		}
		p := blocked.Params{Blocks: 1 + uint64(ops[0]%9), K: 1 + int(ops[1]%16), Seed: uint64(ops[0]) * uint64(ops[1])}
		s := newSubject(t, p)
		for ops = ops[2:]; len(ops) >= 2; ops = ops[2:] {
			s.step(ops[0], uint64(ops[1]))
			s.check()
		}
		s.checkBits()
	})
}

// subject is the filters and the truth about them.
type subject struct {
	t      *testing.T
	p      blocked.Params
	filter *blocked.Filter
	atomic *blocked.AtomicFilter
	truth  map[uint64]bool
}

func newSubject(t *testing.T, p blocked.Params) *subject {
	f, err := blocked.NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	a, err := blocked.NewAtomicFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	return &subject{t, p, f, a, map[uint64]bool{}}
}

// step does operation op with key x, or with the keys from x on.
func (s *subject) step(op byte, x uint64) {
	key := binary.LittleEndian.AppendUint64(nil, x)
	hash := blocked.HashKey(s.p.Seed, key)
	many := []uint64{x, x + 1, x + 2, x + 1000}
	switch op % 11 {
	case 0:
		s.filter.Add(key)
		s.atomic.AddUint64(x)
	case 1:
		s.filter.AddHash(hash)
		s.atomic.AddString(string(key))
	case 2:
		present := s.filter.HasHash(hash)
		if s.filter.TestAndAdd(key) != present || s.atomic.TestAndAddUint64(x) != present {
			s.t.Fatalf("TestAndAdd(%d) does not agree with Has, %v", x, present)
		}
	case 3:
		s.filter.AddUint64s(many)
		s.atomic.AddUint64s(many)
		for _, y := range many {
			s.truth[y] = true
		}
	case 4:
		s.filter, s.atomic = s.filter.Clone(), s.atomic.Clone()
		return
	case 5: // a union with a filter that holds x
		g := s.filter.NewLike()
		g.AddUint64(x)
		if err := s.filter.Union(g); err != nil {
			s.t.Fatal(err)
		}
		if err := s.atomic.Union(g.View()); err != nil {
			s.t.Fatal(err)
		}
	case 6: // an intersection with a filter that holds more
		g := s.atomic.Clone()
		g.AddUint64s(many)
		if err := s.filter.Intersect(g); err != nil {
			s.t.Fatal(err)
		}
		if err := s.atomic.Intersect(g); err != nil {
			s.t.Fatal(err)
		}
		return
	case 7:
		if x%8 == 0 { // rarely, or the filters are always empty
			s.filter.Clear()
			s.atomic.Clear()
			clear(s.truth)
		}
		return
	case 8: // a view of a copy at another address
		data := append(make([]byte, x%64), s.filter.Blocks()...)[x%64:]
		v, err := blocked.ViewOf(data, s.p)
		if err != nil {
			s.t.Fatal(err)
		}
		if !v.Equal(s.atomic) || v.HasUint64(x) != s.filter.HasUint64(x) {
			s.t.Fatalf("a view of the filter differs")
		}
		return
	case 9:
		s.filter.AddKeys([][]byte{key})
		s.atomic.AddHashes([]uint64{hash})
	case 10:
		s.filter.AddStrings([]string{string(key)})
		s.atomic.AddKeys([][]byte{key})
	}
	s.truth[x] = true
}

// check asks for all keys of the set.
func (s *subject) check() {
	for x := range s.truth {
		if !s.filter.HasUint64(x) || !s.atomic.HasUint64(x) {
			s.t.Fatalf("%v: key %d is lost", s.p, x)
		}
	}
	if !s.filter.Equal(s.atomic) {
		s.t.Fatalf("%v: the bits of the filters differ", s.p)
	}
	if n := s.filter.EstimateCount(); n < 0 || math.IsNaN(n) {
		s.t.Fatalf("%v: estimate of %g keys", s.p, n)
	}
}

// checkBits rebuilds the filter from the set.
func (s *subject) checkBits() {
	g := s.filter.NewLike()
	for x := range s.truth {
		g.AddUint64(x)
	}
	if !g.Equal(s.filter) {
		s.t.Fatalf("%v: the bits are not those of the %d keys", s.p, len(s.truth))
	}
}
