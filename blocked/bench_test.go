package blocked

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
)

// benchQueries distinct keys: with fewer the branch predictor learns the
// answers.
const benchQueries = 1 << 20

// BenchmarkAgainstPureGo measures the look-ups of a 256 KiB filter at 10 bits
// per key, k = 6, with absent keys, against a loop of one-key tests in pure Go,
// which is what HasHash is with -tags purego. The three run in turns, and the
// medians count. ns/op is the time of one such turn of all three.
func BenchmarkAgainstPureGo(b *testing.B) {
	f, err := NewFromParams(Params{Blocks: 256 << 10 / 64, K: 6})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 256 << 10 * 8 / 10 {
		f.AddHash(r.Uint64())
	}
	queries, answers := make([]uint64, benchQueries), make([]uint64, benchQueries/64)
	for i := range queries {
		queries[i] = r.Uint64()
	}
	var hits [3]int
	runs := [3]func(){
		func() { hits[0] = f.HasHashes(answers, queries) },
		func() {
			n := 0
			for _, h := range queries {
				if f.HasHash(h) {
					n++
				}
			}
			hits[1] = n
		},
		func() {
			n := 0
			for _, h := range queries {
				if generic.Has(f.table, h) {
					n++
				}
			}
			hits[2] = n
		},
	}
	var times [3][]float64
	for b.Loop() {
		for i, run := range runs {
			start := time.Now()
			run()
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/benchQueries)
		}
	}
	if hits[0] != hits[1] || hits[1] != hits[2] {
		b.Fatalf("the hits differ: %d", hits)
	}
	if rate, want := float64(hits[0])/benchQueries, f.EstimateFPRate(); rate < 0.95*want || rate > 1.05*want {
		b.Fatalf("false positive rate %g, want %g", rate, want)
	}
	median := func(i int) float64 {
		slices.Sort(times[i])
		return times[i][len(times[i])/2]
	}
	batch, one, pureGo := median(0), median(1), median(2)
	b.Logf("kernel %s: HasHashes %.2f ns/key, %.1f times as fast as pure Go; HasHash %.2f ns/key, %.1f times; pure Go %.2f ns/key",
		asm.Chosen(), batch, pureGo/batch, one, pureGo/one, pureGo)
	b.ReportMetric(batch, "ns/key-batch")
	b.ReportMetric(one, "ns/key-one")
	b.ReportMetric(pureGo, "ns/key-go")
	b.ReportMetric(pureGo/batch, "x-batch")
	b.ReportMetric(pureGo/one, "x-one")
}

func BenchmarkParamsFor(b *testing.B) {
	for b.Loop() {
		ParamsFor(1_000_000, 0.01)
	}
}

func BenchmarkEstimateFPRate(b *testing.B) {
	f, err := NewFromParams(Params{Blocks: 1 << 16, K: 6})
	if err != nil {
		b.Fatal(err)
	}
	for h := range uint64(400_000) {
		f.AddUint64(h)
	}
	b.SetBytes(int64(len(f.Blocks())))
	for b.Loop() {
		f.EstimateFPRate()
	}
}
