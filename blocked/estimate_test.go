package blocked

import (
	"math"
	"math/rand/v2"
	"testing"
)

// EstimateCount is within 1 % up to capacity, for every k and several fills.
func TestEstimateCountIsWithinOnePercent(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	const capacity = 200_000
	for k := 1; k <= 16; k++ {
		for name, f := range filters(t, Params{Blocks: capacity * 12 / 512, K: k}) {
			added := 0
			for _, n := range []int{1000, 10_000, 50_000, 100_000, 150_000, capacity} {
				for ; added < n; added++ {
					f.AddHash(r.Uint64())
				}
				if got := f.View().EstimateCount(); math.Abs(got/float64(n)-1) > 0.01 {
					t.Errorf("%s, k = %d: estimate %.0f of %d keys", name, k, got, n)
				}
			}
		}
	}
}

func TestEstimateCountAtTheEnds(t *testing.T) {
	for _, blocks := range []uint64{1, 2, 100} {
		f, err := NewFromParams(Params{Blocks: blocks, K: 5})
		if err != nil {
			t.Fatal(err)
		}
		if n := f.EstimateCount(); n != 0 || math.Signbit(n) {
			t.Errorf("%d blocks: an empty filter has %g keys", blocks, n)
		}
		if r := f.EstimateFPRate(); r != 0 {
			t.Errorf("%d blocks: an empty filter has the rate %g", blocks, r)
		}
		f.AddUint64(1)
		if n := f.EstimateCount(); n < 0.9 || n > 1.1 {
			t.Errorf("%d blocks: a filter of one key has %g", blocks, n)
		}
		for i := range f.Blocks() {
			f.Blocks()[i] = 0xff
		}
		if n := f.EstimateCount(); !math.IsInf(n, 1) {
			t.Errorf("%d blocks: a full filter has %g keys", blocks, n)
		}
		if r := f.EstimateFPRate(); r != 1 {
			t.Errorf("%d blocks: a full filter has the rate %g", blocks, r)
		}
		if r := f.FillRatio(); r != 1 {
			t.Errorf("%d blocks: a full filter has the fill ratio %g", blocks, r)
		}
	}
}

// EstimateFPRate is the model's rate for the number of keys, and the rate that
// is measured, also after a union and far over capacity.
func TestEstimateFPRate(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	for k := 1; k <= 16; k++ {
		for _, bits := range []uint64{3, 6, 12, 24} {
			const n = 200_000
			p := Params{Blocks: n * bits / 512, K: k}
			f, err := NewFromParams(p)
			if err != nil {
				t.Fatal(err)
			}
			for range n {
				f.AddHash(r.Uint64())
			}
			got, want := f.EstimateFPRate(), p.FPRate(n)
			if math.Abs(got/want-1) > 0.03+0.01*float64(k) {
				t.Errorf("k = %d, %d bits per key: estimate %.4g, model %.4g", k, bits, got, want)
			}
		}
	}
}

// The estimate from a number of bits is that of the filter which has them.
func TestEstimateCountOfBits(t *testing.T) {
	f, err := New(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(700) {
		f.AddUint64(i)
	}
	bits := uint64(math.Round(f.FillRatio() * 512 * float64(f.Params().Blocks)))
	if got, want := f.Params().EstimateCount(bits), f.EstimateCount(); got != want {
		t.Errorf("%d bits are %g keys, want %g", bits, got, want)
	}
}
