package scalable

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// measured returns the rate at which f reports random hashes present, and its
// standard error for a rate of p.
func measured(f *Filter, r *rand.Rand, p float64) (rate, sigma float64) {
	queries := 2_000_000 / detector
	if testing.Short() {
		queries = 100_000
	}
	hashes, dst := make([]uint64, 4096), make([]uint64, 64)
	hits, asked := 0, 0
	for asked < queries {
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		hits += f.HasHashes(dst, hashes)
		asked += len(hashes)
	}
	return float64(hits) / float64(asked), math.Sqrt(p / float64(asked))
}

// From 1 to 10^5 times the first capacity the measured rate stays below the one
// that was asked for. LINEBLOOM_LONG=1 goes on to 10^7 and 10^8 keys.
func TestRateHolds(t *testing.T) {
	limit := 1_000_000 / detector
	if testing.Short() {
		limit = 100_000
	}
	if os.Getenv("LINEBLOOM_LONG") == "1" {
		limit = 100_000_000
	}
	for _, c := range []struct {
		first  int
		fpRate float64
	}{{100, 0.1}, {1000, 0.01}, {100, 0.01}, {100, 1e-3}, {100, 1e-4}} {
		f, err := New(uint64(c.first), c.fpRate)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(c.first), 1))
		added := 0
		for _, times := range []int{1, 10, 1000, 100_000} {
			n := times * c.first
			if n > limit {
				break
			}
			var batch [1000]uint64
			for added < n {
				hashes := batch[:min(len(batch), n-added)]
				for i := range hashes {
					hashes[i] = r.Uint64()
				}
				if err := f.AddHashes(hashes); err != nil {
					t.Fatal(err)
				}
				added += len(hashes)
			}
			rate, sigma := measured(f, r, c.fpRate)
			estimate := f.EstimateFPRate()
			t.Logf("rate %-6g first %4d: %6dx: %2d links, %.2f full, rate %.3g +- %.1g, of the bits %.3g",
				c.fpRate, c.first, times, f.Links(), float64(f.Len())/float64(f.Capacity()), rate, sigma, estimate)
			if rate > c.fpRate+4*sigma || estimate > c.fpRate {
				t.Errorf("rate %g, first %d, %d keys: rate %g, of the bits %g", c.fpRate, c.first, n, rate, estimate)
			}
			if math.Abs(rate-estimate) > 5*sigma {
				t.Errorf("rate %g, first %d, %d keys: measured %g, want %g as the bits say", c.fpRate, c.first, n, rate, estimate)
			}
			if times == 100_000 && c.first == 1000 && f.Links() > 10 {
				t.Errorf("%d keys are in %d links, want at most 10", n, f.Links())
			}
			if lost := float64(n) - float64(f.Len()); lost > c.fpRate*float64(n)+4*math.Sqrt(c.fpRate*float64(n)) {
				t.Errorf("rate %g: %g keys of %d were taken for present when they were added", c.fpRate, lost, n)
			}
		}
	}
}

// The rate is highest when all links are full, and holds for that too.
func TestRateHoldsWhenAllLinksAreFull(t *testing.T) {
	last := 5
	if testing.Short() || detector > 1 {
		last = 3
	}
	for _, fpRate := range []float64{0.1, 0.01, 1e-3} {
		f, err := New(100, fpRate)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 5))
		for f.Links() < last || f.Len() < f.Capacity() {
			if err := f.AddHash(r.Uint64()); err != nil {
				t.Fatal(err)
			}
		}
		rate, sigma := measured(f, r, fpRate)
		promised := fpRate * (1 - math.Pow(1-share, float64(f.Links())))
		t.Logf("rate %-5g %d links, all full, %d keys: %.4g +- %.1g, its links promise %.4g", fpRate, f.Links(), f.Len(), rate, sigma, promised)
		if rate > promised+4*sigma {
			t.Errorf("rate %g: %g, promised %g", fpRate, rate, promised)
		}
		for i, l := range f.chain.Load().links {
			got, want := l.filter.EstimateFPRate(), l.filter.Params().FPRate(l.capacity)
			if want > l.fpRate || l.filter.Params().Blocks > 1000 && math.Abs(got/want-1) > 0.03 {
				t.Errorf("rate %g: link %d has a rate of %g, want %g as computed, and at most %g", fpRate, i, got, want, l.fpRate)
			}
		}
	}
}
