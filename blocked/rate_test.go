package blocked

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// measureRate fills filters of geometry p with n random keys each and asks them
// for absent ones, until about 10,000 false hits or most queries. sigma
// is the standard error: the larger of what the spread between filters and what
// the number of hits gives.
func measureRate(t *testing.T, r *rand.Rand, p Params, n uint64, most float64) (rate, sigma float64) {
	t.Helper()
	filters := int(max(1, min(2000, 1_000_000/n)))
	model := p.FPRate(n)
	queries := int(min(most, 1e4/model)) / filters
	queries = max(queries/4096, 1) * 4096
	hashes, dst := make([]uint64, 4096), make([]uint64, 64)
	f, err := NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	var sum, squares float64
	for range filters {
		f.Clear()
		for added := uint64(0); added < n; {
			batch := hashes[:min(uint64(len(hashes)), n-added)]
			for i := range batch {
				batch[i] = r.Uint64()
			}
			f.AddHashes(batch)
			added += uint64(len(batch))
		}
		hits := 0
		for range queries / len(hashes) {
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			hits += f.HasHashes(dst, hashes)
		}
		x := float64(hits) / float64(queries)
		sum += x
		squares += x * x
	}
	m := float64(filters)
	rate = sum / m
	spread := math.Sqrt(max(squares/m-rate*rate, 0) / m)
	return rate, max(spread, math.Sqrt(model/(m*float64(queries))))
}

// At capacity the measured rate is that of the model, and the rate that was
// asked for is met: within four standard errors and 1.5 %.
func TestMeasuredRateIsTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	targets, counts, most := []float64{1e-1, 1e-2, 1e-3, 1e-4}, []uint64{1, 10, 1000, 100_000, 1_000_000}, 1e7
	if os.Getenv("LINEBLOOM_LONG") != "" { // minutes, and a GiB of memory
		targets, counts, most = append(targets, 1e-5, 1e-6), append(counts, 1e7, 1e8), 1e9
	}
	for _, target := range targets {
		for _, n := range counts {
			p, err := ParamsFor(n, target)
			if err != nil {
				t.Fatal(err)
			}
			got, sigma := measureRate(t, r, p, n, most)
			want := p.FPRate(n)
			t.Logf("n = %9d, target %g: %v: measured %.4g +- %.1g, model %.4g", n, target, p, got, sigma, want)
			if math.Abs(got-want) > 4*sigma+0.015*want {
				t.Errorf("n = %d, target %g: %v: measured %.4g +- %.1g, model %.4g", n, target, p, got, sigma, want)
			}
			if want > target || got > target*1.015+4*sigma {
				t.Errorf("n = %d: rate %.4g, model %.4g, but %g was asked for", n, got, want, target)
			}
		}
	}
}

// The model holds for every k, also under and over the best load.
func TestMeasuredRateIsTheModelForEveryK(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for k := 1; k <= 16; k++ {
		for _, bits := range []float64{4, 10, 20} {
			const n = 100_000
			p := Params{Blocks: uint64(n * bits / 512), K: k}
			if p.FPRate(n) < 1e-4 {
				continue // TestMeasuredRateIsTheModel has such rates
			}
			got, sigma := measureRate(t, r, p, n, 1e7)
			if want := p.FPRate(n); math.Abs(got-want) > 4*sigma+0.015*want {
				t.Errorf("k = %d, %g bits per key: measured %.4g +- %.1g, model %.4g", k, bits, got, sigma, want)
			}
		}
	}
}

// The purchase: at most 1.2 % more bits than the best k needs, from 10^5 keys.
func TestNewBuysNoMoreThanItNeeds(t *testing.T) {
	for _, target := range []float64{0.3, 1e-1, 1e-2, 1e-3, 8.8e-4, 1e-4, 1e-5, 1e-6} {
		for _, n := range []uint64{100_000, 777_777, 10_000_000} {
			p, err := ParamsFor(n, target)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= 16; k++ {
				blocks := p.Blocks - p.Blocks*12/1012 - 1
				if (Params{Blocks: blocks, K: k}).FPRate(n) <= target {
					t.Errorf("n = %d, target %g: %v, but %d blocks with k = %d suffice", n, target, p, blocks, k)
				}
			}
		}
	}
}
