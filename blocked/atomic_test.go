package blocked

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

const workers = 8

// together runs f in eight goroutines at once.
func together(f func(worker int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// Goroutines add overlapping keys by every method while all of them test:
// nothing is lost, and an add that happened before a test is seen by it.
func TestConcurrentAddsLoseNothing(t *testing.T) {
	for _, k := range []int{3, 6, 8, 16} {
		const n = 40_000
		f, err := NewAtomicFromParams(Params{Blocks: n * 10 / 512, K: k})
		if err != nil {
			t.Fatal(err)
		}
		done := make([]atomic.Int64, workers) // keys that each worker has added
		together(func(w int) {
			r := rand.New(rand.NewPCG(1, uint64(w)))
			first := uint64(w) * n / workers / 2 // ranges overlap by half
			for i := uint64(0); i < n/workers; {
				x := first + i
				step := uint64(1)
				switch r.IntN(5) {
				case 0:
					f.AddUint64(x)
				case 1:
					f.AddHash(HashUint64(0, x))
				case 2:
					f.TestAndAddUint64(x)
				case 3:
					f.AddUint64s([]uint64{x, x + 1, x + 2})
					step = 3
				case 4:
					f.AddHashes([]uint64{HashUint64(0, x), HashUint64(0, x+1)})
					step = 2
				}
				i += step
				done[w].Store(int64(i))
				if !f.HasUint64(x) {
					t.Errorf("k = %d: key %d is lost to the goroutine that added it", k, x)
					return
				}
				other := r.IntN(workers)
				if seen := done[other].Load(); seen > 0 {
					y := uint64(other)*n/workers/2 + r.Uint64N(uint64(seen))
					if !f.HasUint64(y) || !f.View().HasUint64(y) {
						t.Errorf("k = %d: key %d of another goroutine is lost", k, y)
						return
					}
				}
			}
		})
		dst := make([]uint64, n)
		for w := range uint64(workers) {
			batch := make([]uint64, n/workers)
			for i := range batch {
				batch[i] = w*n/workers/2 + uint64(i)
			}
			if hits := f.HasUint64s(dst, batch); hits != len(batch) {
				t.Errorf("k = %d: %d of %d keys of worker %d are lost", k, len(batch)-hits, len(batch), w)
			}
		}
	}
}

// Of all calls of TestAndAdd with one key at most one returns false, and exactly
// one does but for false positives.
func TestTestAndAddTellsNewAtMostOnce(t *testing.T) {
	const n = 1_000_000
	for _, c := range []struct {
		name   string
		blocks uint64 // few: keys share words and race with other keys' bits
	}{{"roomy", n * 40 / 512}, {"tight", n * 6 / 512}} {
		f, err := NewAtomicFromParams(Params{Blocks: c.blocks, K: 12})
		if err != nil {
			t.Fatal(err)
		}
		winners := make([]atomic.Uint32, n)
		together(func(w int) {
			for i := range uint64(n) {
				// All go the same way: who is behind finds keys present, is
				// faster, and catches up, so that calls meet.
				if !f.TestAndAddUint64(i) {
					winners[i].Add(1)
				}
			}
		})
		none := 0
		for i := range winners {
			switch won := winners[i].Load(); {
			case won > 1:
				t.Fatalf("%s: key %d was reported new %d times", c.name, i, won)
			case won == 0:
				none++
			}
		}
		// Every key that nobody added was a false positive when it came, in
		// turn: at most the rate of the filter as it is at the end.
		if limit := f.EstimateFPRate()*n*1.1 + 10; float64(none) > limit {
			t.Errorf("%s: %d keys were never new, at most %.0f can be false positives", c.name, none, limit)
		}
		t.Logf("%s: %d keys of %d were false positives", c.name, none, n)
	}
}

// The same with all goroutines on the same few keys at the same time: round by
// round on a fresh filter.
func TestTestAndAddUnderContention(t *testing.T) {
	const rounds, batch = 4000, 32
	f, err := NewAtomicFromParams(Params{Blocks: 64, K: 8})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range rounds {
		f.Clear()
		var hashes [batch]uint64
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		var winners [batch]atomic.Uint32
		var waiting atomic.Int32
		waiting.Store(2)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				waiting.Add(-1)
				for spins := 0; waiting.Load() > 0 && spins < 100_000; spins++ {
				}
				for i, h := range hashes {
					if !f.TestAndAddHash(h) {
						winners[i].Add(1)
					}
				}
			})
		}
		wg.Wait()
		for i := range winners {
			if won := winners[i].Load(); won > 1 {
				t.Fatalf("hash %#x was reported new %d times", hashes[i], won)
			}
		}
	}
}

// Union, Clone, estimates and views may run beside adds.
func TestReadingBesideAdds(t *testing.T) {
	f, err := NewAtomic(100_000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	g := f.NewLike()
	together(func(w int) {
		for i := range uint64(2000) {
			x := uint64(w)<<32 | i
			f.AddUint64(x)
			if i%500 == 0 {
				c := f.Clone()
				if !c.HasUint64(x) || c.EstimateCount() > 20_000 || f.EstimateFPRate() > 0.01 {
					t.Errorf("worker %d: a copy is wrong", w)
				}
				if err := g.Union(f); err != nil || !g.HasUint64(x) {
					t.Errorf("worker %d: the union lacks key %d, %v", w, x, err)
				}
				var dst [1]uint64
				if HasHashEach(dst[:], []View{f.View(), g.View()}, HashUint64(0, x)) != 2 {
					t.Errorf("worker %d: a view lacks key %d", w, x)
				}
			}
		}
	})
	if err := g.Union(f); err != nil || !g.Equal(f) {
		t.Errorf("the union of all differs, %v", err)
	}
}
