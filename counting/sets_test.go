package counting

import (
	"errors"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// The union is the filter of all adds to both, and what was in both is there twice.
func TestUnion(t *testing.T) {
	for _, p := range []blocked.Params{{Blocks: 3, K: 6}, {Blocks: 70, K: 11, Seed: 4}} {
		n := int(p.Blocks) * 40
		f, g, m := newTest(t, p), newTest(t, p), newModel(p)
		for i, h := range hashes(n, 1) {
			if i%3 != 0 {
				f.AddHash(h)
				m.add(h)
			}
			if i%3 != 1 {
				g.AddHash(h)
				m.add(h)
			}
		}
		if err := f.Union(g); err != nil {
			t.Fatal(err)
		}
		m.check(t, f)
		for f.Stuck() == 0 { // with itself, until counters stick
			if err := f.Union(f); err != nil {
				t.Fatal(err)
			}
			for _, h := range append([]uint64(nil), m.held...) {
				m.add(h)
			}
			m.check(t, f)
		}
	}
}

func TestUnionWantsEqualParams(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 3, K: 6})
	f.AddString("apple")
	want := f.Clone()
	for _, p := range []blocked.Params{{Blocks: 4, K: 6}, {Blocks: 3, K: 7}, {Blocks: 3, K: 6, Seed: 1}} {
		g := newTest(t, p)
		g.AddString("pear")
		if err := f.Union(g); !errors.Is(err, blocked.ErrIncompatible) || !f.Equal(want) || f.Len() != 1 {
			t.Errorf("%v: %v, want ErrIncompatible, or it was changed", p, err)
		}
		if f.Equal(g) {
			t.Errorf("filters of %v and %v are equal", f.Params(), p)
		}
	}
}

// Equal looks at counters, and a clone shares nothing.
func TestCloneAndEqual(t *testing.T) {
	f, err := New(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	f.AddHashes(hashes(1000, 1))
	g := f.Clone()
	if !g.Equal(f) || g.Len() != 1000 || g.Capacity() != 1000 || g.TargetFPRate() != 0.01 || !f.Equal(f) {
		t.Fatal("a clone differs")
	}
	g.AddHash(hashes(1, 1)[0]) // once more: equal bits, other counters
	if g.Equal(f) || !g.View().Equal(f) || f.Len() != 1000 {
		t.Error("another counter makes no difference")
	}
	plain := f.Plain()
	if !plain.Equal(f) || plain.Capacity() != 1000 || plain.TargetFPRate() != 0.01 {
		t.Error("Plain differs")
	}
	plain.AddString("apple")
	f.RemoveHashes(nil, hashes(1000, 1))
	if f.FillRatio() != 0 || f.HasString("apple") || !plain.HasString("apple") || plain.EstimateCount() < 900 {
		t.Error("Plain shares its memory")
	}
}

// The rates of the bits are those of a plain filter, also after half was removed.
func TestEstimatesAfterRemoves(t *testing.T) {
	f, err := New(20_000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	keys := hashes(40_000, 2)
	f.AddHashes(keys)
	f.RemoveHashes(nil, keys[:20_000])
	if n := f.EstimateCount(); n < 19_000 || n > 21_000 {
		t.Errorf("EstimateCount %g, want 20000", n)
	}
	if r := f.EstimateFPRate(); r < 0.008 || r > 0.011 {
		t.Errorf("EstimateFPRate %g, want 0.01", r)
	}
}
