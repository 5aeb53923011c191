package blocked

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// A view over bytes at any address answers as the filter that they came from.
func TestViewsAtAnyAddress(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, k := range []int{6, 8, 13} {
		f, err := NewFromParams(Params{Blocks: 9, K: k, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		for range 9 * 40 {
			f.AddHash(r.Uint64())
		}
		for shift := range 65 {
			buf := make([]byte, 9*64+shift)
			data := buf[shift:]
			copy(data, f.Blocks())
			v, err := ViewOf(data, f.Params())
			if err != nil {
				t.Fatal(err)
			}
			if !v.Equal(f) || !f.Equal(v) || v.Params() != f.Params() || &v.Blocks()[0] != &data[0] {
				t.Fatalf("a view of a copy at +%d differs", shift)
			}
			for range 1000 {
				if h := r.Uint64(); v.HasHash(h) != f.HasHash(h) {
					t.Fatalf("at +%d: HasHash(%#x) = %v", shift, h, v.HasHash(h))
				}
			}
		}
	}
}

func TestHasHashEachEqualsALoop(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var views []View
	for i := range 200 {
		f, err := NewFromParams(Params{Blocks: 1 + r.Uint64N(50), K: 1 + i%16})
		if err != nil {
			t.Fatal(err)
		}
		for h := range uint64(300) {
			if r.IntN(2) == 0 {
				f.AddHash(HashUint64(0, h))
			}
		}
		views = append(views, f.View())
	}
	for _, n := range []int{0, 1, 16, 63, 64, 65, 128, 200} {
		for x := range uint64(300) {
			h := HashUint64(0, x)
			dst := make([]uint64, (n+63)/64)
			hits := HasHashEach(dst, views[:n], h)
			want := 0
			for i, v := range views[:n] {
				if dst[i/64]>>(i%64)&1 == 1 != v.HasHash(h) {
					t.Fatalf("%d filters, key %d: wrong answer of filter %d", n, x, i)
				}
				if v.HasHash(h) {
					want++
				}
			}
			if hits != want {
				t.Fatalf("%d filters, key %d: %d hits, want %d", n, x, hits, want)
			}
		}
	}
}

// A copy has the bits of any view and what it is told of their making, and is a
// filter of its own.
func TestCopyOf(t *testing.T) {
	a, err := NewAtomic(1000, 0.01, WithSeed(3))
	if err != nil {
		t.Fatal(err)
	}
	a.AddString("apple")
	f, err := CopyOf(a.View(), a.Capacity(), a.TargetFPRate())
	if err != nil || !f.Equal(a) || f.Capacity() != 1000 || f.TargetFPRate() != 0.01 {
		t.Fatalf("the copy of a filter differs, %v", err)
	}
	f.AddString("pear")
	if a.HasString("pear") || !f.HasString("pear") || !f.HasString("apple") {
		t.Error("a copy shares its memory")
	}
	for _, rate := range []float64{-0.1, 1, math.NaN(), math.Inf(1)} {
		if _, err := CopyOf(a.View(), 0, rate); !errors.Is(err, ErrInvalid) {
			t.Errorf("a rate of %g: %v, want ErrInvalid", rate, err)
		}
	}
}
