package scalable

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/linebloom/linebloom/blocked"
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

// wholeLinks checks what must hold of the links when nobody adds: no key more than
// a link is for, none less in those that got a successor, no place left over.
func wholeLinks(t *testing.T, f *Filter) {
	t.Helper()
	links := f.chain.Load().links
	for i, l := range links {
		added, reserved := l.added.Load(), l.reserved.Load()
		if added > l.capacity || reserved != added || i < len(links)-1 && added != l.capacity {
			t.Fatalf("link %d of %d: %d keys, %d places taken of %d", i, len(links), added, reserved, l.capacity)
		}
	}
}

// Whatever grows and however many goroutines there are, a key is reported new once
// at most, and once at least but for false positives.
func TestTestAndAddTellsNewAtMostOnce(t *testing.T) {
	rounds := 6000 / detector
	if testing.Short() {
		rounds = 500
	}
	const n = 150 // links of 1, 10, 100 and 1000 keys
	grown, none := 0, 0
	for round := range rounds {
		f, err := New(1, 1e-4, blocked.WithSeed(uint64(round)))
		if err != nil {
			t.Fatal(err)
		}
		winners := make([]atomic.Uint32, n)
		together(func(w int) {
			for i := range uint64(n) {
				// All go the same way: who is behind finds keys present, is
				// faster, and catches up, so that calls meet.
				was, err := f.TestAndAddUint64(i)
				if err != nil {
					t.Error(err)
					return
				}
				if !was {
					winners[i].Add(1)
				}
				if !f.HasUint64(i) {
					t.Errorf("round %d: key %d is lost", round, i)
					return
				}
			}
		})
		sum := uint64(0)
		for i := range winners {
			switch won := winners[i].Load(); {
			case won > 1:
				t.Fatalf("round %d: key %d was reported new %d times", round, i, won)
			case won == 0:
				none++
			default:
				sum++
			}
		}
		if f.Len() != sum {
			t.Fatalf("round %d: Len is %d, but %d keys were reported new", round, f.Len(), sum)
		}
		wholeLinks(t, f)
		grown += f.Links() - 1
		if t.Failed() {
			return
		}
	}
	t.Logf("%d keys, %d times grown, %d keys were false positives", n*rounds, grown, none)
	if limit := float64(n*rounds)*1e-4 + 10; float64(none) > limit {
		t.Errorf("%d keys were never new, at most %.0f can be false positives", none, limit)
	}
}

// The moment of growth, step by step: as long as somebody has a place in a link,
// no other link is added, and what he adds is seen by whoever waits for one.
func TestGrowthWaitsForPlacesInUse(t *testing.T) {
	for _, isNew := range []uint64{1, 0} {
		f, err := New(10, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		for x := range uint64(9) {
			if err := f.AddUint64(x); err != nil {
				t.Fatal(err)
			}
		}
		// Somebody found key 100 in no link and has the last place, but has not yet
		// added the key.
		before := f.chain.Load()
		l := before.newest()
		if l.reserve(5) != 1 {
			t.Fatal("there is not one place left")
		}
		done := make(chan bool)
		go func() {
			was, err := f.TestAndAddUint64(100)
			if err != nil {
				t.Error(err)
			}
			done <- was
		}()
		for f.Links() == 1 && f.growing.TryLock() { // until the other waits for its place
			f.growing.Unlock()
			runtime.Gosched()
		}
		if f.HasUint64(100) || f.Links() != 1 { // readers do not wait
			t.Fatal("a link was added, or the key, while its predecessor was in use")
		}
		if isNew == 1 {
			if l.filter.TestAndAddUint64(100) {
				t.Fatal("the key was there")
			}
			l.settle(1, 1)
			if was := <-done; !was || f.Len() != 10 {
				t.Errorf("the key was reported new twice, %d keys", f.Len())
			}
			continue
		}
		l.settle(1, 0) // the place is free again, and the other gets it
		if was := <-done; was || f.Links() != 1 || f.Len() != 10 || !f.HasUint64(100) {
			t.Errorf("%d links, %d keys, want 1 and 10", f.Links(), f.Len())
		}
	}
}

// Goroutines add overlapping keys by every method while all of them ask: nothing
// is lost, an add that happened before a test is seen by it, and no link gets a
// key too many, whatever the sizes of batches.
func TestConcurrentAddsLoseNothing(t *testing.T) {
	rounds, n := 40/detector+1, uint64(12_000)
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		f, err := New(uint64(1+round%7), 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		done := make([]atomic.Uint64, workers) // keys that each worker has added
		together(func(w int) {
			r := rand.New(rand.NewPCG(uint64(round), uint64(w)))
			first := uint64(w) * n / workers / 2 // ranges overlap by half
			dst := make([]uint64, 100)
			for i := uint64(0); i < n/workers && !t.Failed(); {
				x := first + i
				batch := make([]uint64, 1+r.IntN(4)*r.IntN(700))
				var hashes []uint64
				for j := range batch {
					batch[j] = x + uint64(j)
					hashes = append(hashes, blocked.HashUint64(0, x+uint64(j)))
				}
				step, err := 1, error(nil)
				switch r.IntN(5) {
				case 0:
					err = f.AddUint64(x)
				case 1:
					err = f.AddHash(hashes[0])
				case 2:
					_, err = f.TestAndAddUint64(x)
				case 3:
					step, err = len(batch), f.AddUint64s(batch)
				case 4:
					step, err = len(batch), f.AddHashes(hashes)
				}
				if err != nil {
					t.Error(err)
				}
				i += uint64(step)
				done[w].Store(min(i, n/workers))
				if f.HasHashes(dst, hashes[:step]) != step {
					t.Errorf("keys %d to %d are lost to the goroutine that added them", x, x+uint64(step)-1)
				}
				other := r.IntN(workers)
				if seen := done[other].Load(); seen > 0 {
					y := uint64(other)*n/workers/2 + r.Uint64N(seen)
					if !f.HasUint64(y) {
						t.Errorf("key %d of another goroutine is lost", y)
					}
				}
				if f.Len() > f.Capacity() {
					t.Errorf("%d keys in a filter for %d", f.Len(), f.Capacity())
				}
			}
		})
		wholeLinks(t, f)
		if t.Failed() {
			return
		}
	}
}

// With a bound, all goroutines are refused in the end, the filter is exactly full,
// and what was taken is there. Raising the bound helps all of them.
func TestConcurrentAddsUpToABound(t *testing.T) {
	f, err := New(10, 0.01, blocked.WithMaxBytes(5000))
	if err != nil {
		t.Fatal(err)
	}
	taken := make([][]uint64, workers)
	fill := func(w int) {
		for x := uint64(w) << 32; ; x++ {
			was, err := f.TestAndAddUint64(x)
			if err != nil {
				return
			}
			if !was {
				taken[w] = append(taken[w], x)
			}
		}
	}
	for _, bound := range []uint64{5000, 50_000} {
		f.SetMaxBytes(bound)
		together(fill)
		wholeLinks(t, f)
		total := 0
		for _, keys := range taken {
			total += len(keys)
			for _, x := range keys {
				if !f.HasUint64(x) {
					t.Fatalf("key %#x is lost", x)
				}
			}
		}
		if f.Bytes() > bound || uint64(total) != f.Capacity() || f.Len() != f.Capacity() || f.EstimateFPRate() > 0.01 {
			t.Errorf("bound %d: %d bytes, %d keys were taken, %d are counted, capacity %d, rate %g",
				bound, f.Bytes(), total, f.Len(), f.Capacity(), f.EstimateFPRate())
		}
	}
}
