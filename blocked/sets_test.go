package blocked

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSetOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	p := Params{Blocks: 60, K: 6, Seed: 1}
	var as, bs []uint64
	for range 1500 {
		as, bs = append(as, r.Uint64()), append(bs, r.Uint64())
	}
	both := as[:500]
	bs = append(bs, both...)
	for name, other := range filters(t, p) {
		other.AddHashes(bs)
		for into, f := range filters(t, p) {
			set := f.(interface {
				Union(Viewer) error
				Intersect(Viewer) error
				Equal(Viewer) bool
			})
			f.AddHashes(as)
			if set.Equal(other) {
				t.Fatalf("%s of other keys is equal to %s", into, name)
			}

			union := filters(t, p)[into]
			union.AddHashes(as)
			union.AddHashes(bs)
			if err := set.Union(other); err != nil || !set.Equal(union) {
				t.Errorf("%s united with %s: %v, not the filter of all keys", into, name, err)
			}

			f.Clear()
			f.AddHashes(as)
			before := bytes.Clone(f.Blocks())
			if err := set.Intersect(other); err != nil {
				t.Error(err)
			}
			for i, x := range f.Blocks() {
				if want := before[i] & other.Blocks()[i]; x != want {
					t.Fatalf("%s intersected with %s: byte %d is %#x, want %#x", into, name, i, x, want)
				}
			}
			for _, h := range both {
				if !f.HasHash(h) {
					t.Fatalf("%s intersected with %s lost a common key", into, name)
				}
			}

			for _, q := range []Params{{61, 6, 1}, {60, 7, 1}, {60, 6, 2}} {
				g, err := NewFromParams(q)
				if err != nil {
					t.Fatal(err)
				}
				g.AddHashes(bs)
				kept := bytes.Clone(f.Blocks())
				wantErr(t, "Union", set.Union(g), ErrIncompatible, q.String())
				wantErr(t, "Intersect", set.Intersect(g), ErrIncompatible, p.String())
				if set.Equal(g) || !bytes.Equal(f.Blocks(), kept) {
					t.Errorf("%s: an incompatible filter is equal or changed it", into)
				}
			}
		}
	}
}

func TestUnionOfUnalignedView(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	p := Params{Blocks: 3, K: 4}
	all := filters(t, p)
	for range 100 {
		all["Filter"].AddHash(r.Uint64())
	}
	v, err := ViewOf(append(make([]byte, 1), all["Filter"].Blocks()...)[1:], p)
	if err != nil {
		t.Fatal(err)
	}
	f, a := filters(t, p)["Filter"].(*Filter), filters(t, p)["AtomicFilter"].(*AtomicFilter)
	if f.Union(v) != nil || a.Union(v) != nil || !f.Equal(all["Filter"]) || !a.Equal(f) {
		t.Error("the union with a view differs")
	}
}

func TestCloneAndNewLike(t *testing.T) {
	f, err := New(1000, 0.001, WithSeed(4))
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAtomic(1000, 0.001, WithSeed(4))
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings(strings.Fields("to be or not to be"))
	a.AddStrings(strings.Fields("to be or not to be"))
	g, b := f.Clone(), a.Clone()
	if !g.Equal(f) || !b.Equal(a) || !g.Equal(b) || g.Capacity() != 1000 || b.Capacity() != 1000 {
		t.Error("a clone differs")
	}
	g.AddString("question")
	b.AddString("question")
	if f.HasString("question") || a.HasString("question") {
		t.Error("a clone shares memory with its original")
	}
	e, c := f.NewLike(), a.NewLike()
	if e.FillRatio() != 0 || c.FillRatio() != 0 || e.Params() != f.Params() || c.Params() != a.Params() || e.Capacity() != 1000 || c.Capacity() != 1000 {
		t.Error("NewLike gives another geometry or is not empty")
	}
}
