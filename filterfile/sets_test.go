package filterfile

import (
	"errors"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// What a union or an intersection did to keys and count stays in the file.
func TestUnionAndIntersectStayInTheFile(t *testing.T) {
	t.Parallel()
	path, s := create(t, 10_000)
	p := s.Params()
	evens, threes := filled(t, p, 0), filled(t, p, 0)
	var both []uint64
	for x := range uint64(3000) {
		if x%2 == 0 {
			evens.AddUint64(x)
		}
		if x%3 == 0 {
			threes.AddUint64(x)
		}
		if x%6 == 0 {
			both = append(both, x)
		}
	}
	wrong := filled(t, blocked.Params{Blocks: p.Blocks, K: p.K, Seed: p.Seed + 1}, 10)
	if err := errors.Join(s.Union(wrong), s.Intersect(wrong)); !errors.Is(err, blocked.ErrIncompatible) {
		t.Errorf("another seed: %v", err)
	}
	s.TestAndAddUint64(0)
	if n, err := s.Len(); n != 1 || err != nil || s.CountState() != blocked.Exact {
		t.Errorf("after a union that was refused: %d keys, %v, %v", n, err, s.CountState())
	}
	path2, _ := saved(t, threes, nil)
	file := verified(t, path2)
	want := filled(t, p, 1)
	for _, step := range []struct {
		name      string
		do        func() error
		inMemory  func() error
		mustExist []uint64
	}{
		{"the union with a filter", func() error { return s.Union(evens) }, func() error { return want.Union(evens) }, nil},
		{"the intersection with a file", func() error { return s.Intersect(file) }, func() error { return want.Intersect(threes) }, both},
		{"the union with a file", func() error { return s.Union(file) }, func() error { return want.Union(threes) }, both},
	} {
		if err := errors.Join(step.do(), step.inMemory()); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for range 2 { // before and after it was closed
			if !s.Equal(want) || !want.Equal(s) || lost(s, step.mustExist) > 0 {
				t.Fatalf("%s has other bits", step.name)
			}
			if _, err := s.Len(); !errors.Is(err, blocked.ErrIndeterminateCount) || s.CountState() != blocked.Indeterminate {
				t.Fatalf("Len after %s: %v, %v", step.name, err, s.CountState())
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			f := verified(t, path)
			if f.Header().CountState != blocked.Indeterminate || !f.Equal(want) {
				t.Fatalf("the file after %s: %+v", step.name, f.Header())
			}
			f.Close()
			var err error
			if s, err = OpenShared(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.TestAndAddUint64(1 << 40)
	s.AddUint64(1 << 41)
	if s.CountState() != blocked.Indeterminate {
		t.Error("adding a key makes the count better")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// And back into memory.
	mem := filled(t, p, 100)
	if err := mem.Union(verified(t, path)); err != nil || !mem.HasUint64(1<<41) || lost(mem, span(0, 100)) > 0 {
		t.Errorf("the union of a filter with a file: %v", err)
	}
}

// The count is exact until something is added without asking whether it was
// there, and what it is stays in the file.
func TestTheStateOfTheCountStaysInTheFile(t *testing.T) {
	t.Parallel()
	path, s := create(t, 10_000)
	one := blocked.HashUint64(s.Params().Seed, 1)
	for _, step := range []struct {
		name string
		do   func()
		want blocked.CountState
	}{
		{"Create", func() {}, blocked.Exact},
		{"TestAndAdd", func() { s.TestAndAdd([]byte("a")) }, blocked.Exact},
		{"AddUint64s of nothing new", func() { s.AddHash(one) }, blocked.Estimate},
		{"TestAndAdd again", func() { s.TestAndAdd([]byte("b")) }, blocked.Estimate},
	} {
		step.do()
		if got := s.CountState(); got != step.want {
			t.Errorf("after %s: %v, want %v", step.name, got, step.want)
		}
		n, err := s.Len()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if h := verified(t, path).Header(); h.CountState != step.want || h.Count != n {
			t.Errorf("the file after %s: %d, %v, want %d, %v", step.name, h.Count, h.CountState, n, step.want)
		}
		if s, err = OpenShared(path); err != nil {
			t.Fatal(err)
		}
		if m, err := s.Len(); m != n || err != nil || s.CountState() != step.want {
			t.Errorf("opened after %s: %d, %v, %v", step.name, m, s.CountState(), err)
		}
	}
	for name, add := range map[string]func(*Shared){
		"Add":        func(s *Shared) { s.Add([]byte("x")) },
		"AddString":  func(s *Shared) { s.AddString("x") },
		"AddUint64":  func(s *Shared) { s.AddUint64(1) },
		"AddHash":    func(s *Shared) { s.AddHash(1) },
		"AddKeys":    func(s *Shared) { s.AddKeys([][]byte{{1}}) },
		"AddStrings": func(s *Shared) { s.AddStrings([]string{"x"}) },
		"AddUint64s": func(s *Shared) { s.AddUint64s([]uint64{1}) },
		"AddHashes":  func(s *Shared) { s.AddHashes([]uint64{1}) },
	} {
		_, s := create(t, 100)
		if add(s); s.CountState() != blocked.Estimate {
			t.Errorf("after %s: %v", name, s.CountState())
		}
		s.Close()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Unions into a file may run beside adds and lose none of them.
func TestUnionBesideAddsLosesNothing(t *testing.T) {
	t.Parallel()
	path, s := create(t, 100_000)
	other := filled(t, s.Params(), 10_000)
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			from := (g + 1) * 10_000
			for _, key := range span(from, from+10_000) {
				s.AddUint64(key)
			}
		})
	}
	for range 20 {
		if err := s.Union(other); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := lost(verified(t, path), span(0, 40_000)); n > 0 {
		t.Errorf("%d keys are lost", n)
	}
}
