package scalable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// benchQueries distinct keys: with fewer the branch predictor learns the answers.
const benchQueries = 1 << 20

// BenchmarkAgainstOneFilter measures look-ups in a chain that began with 1,000 keys
// against a blocked filter for exactly the keys in it, at the same rate of 1 %, for
// keys that are absent and keys that are present. The runs take turns, and the
// medians count: ns for a key of the chain, and how many times that of the one
// filter it is. ns/op is the time of one turn of all. The largest take minutes to
// fill: -bench 'AgainstOneFilter/1000' leaves them out.
func BenchmarkAgainstOneFilter(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000, 10_000_000, 100_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { againstOne(b, n) })
	}
}

func againstOne(b *testing.B, n int) {
	f, err := New(1000, 0.01)
	if err != nil {
		b.Fatal(err)
	}
	one, err := blocked.New(uint64(n), 0.01)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	one.AddHashes(hashes)
	if err := f.AddHashes(hashes); err != nil {
		b.Fatal(err)
	}
	absent, present := make([]uint64, benchQueries), make([]uint64, benchQueries)
	for i := range absent {
		absent[i], present[i] = r.Uint64(), hashes[r.IntN(n)]
	}
	answers := make([]uint64, benchQueries/64)
	type asker interface {
		HasHash(h uint64) bool
		HasHashes(dst, hashes []uint64) int
	}
	each := func(f asker, keys []uint64) int {
		hits := 0
		for _, h := range keys {
			if f.HasHash(h) {
				hits++
			}
		}
		return hits
	}
	runs := []struct {
		name string
		keys []uint64
		ask  func(f asker, keys []uint64) int
	}{
		{"one-absent", absent, each},
		{"one-present", present, each},
		{"batch-absent", absent, func(f asker, keys []uint64) int { return f.HasHashes(answers, keys) }},
		{"batch-present", present, func(f asker, keys []uint64) int { return f.HasHashes(answers, keys) }},
	}
	times := make([][2][]float64, len(runs))
	for b.Loop() {
		for i, run := range runs {
			for j, f := range []asker{f, one} {
				start := time.Now()
				hits := run.ask(f, run.keys)
				times[i][j] = append(times[i][j], float64(time.Since(start).Nanoseconds())/benchQueries)
				if rate := float64(hits) / benchQueries; i%2 == 0 && rate > 0.011 || i%2 == 1 && rate != 1 {
					b.Fatalf("%s: %d hits", run.name, hits)
				}
			}
		}
	}
	for i, run := range runs {
		var median [2]float64
		for j := range median {
			slices.Sort(times[i][j])
			median[j] = times[i][j][len(times[i][j])/2]
		}
		b.ReportMetric(median[0], "ns/"+run.name)
		b.ReportMetric(median[0]/median[1], "x-"+run.name)
	}
	b.ReportMetric(float64(f.Bytes())/float64(one.Params().Bytes()), "x-bytes")
	b.ReportMetric(float64(f.Links()), "links")
}

// BenchmarkAdd measures adding new keys to a chain that began with 1,000 keys and to
// a blocked.AtomicFilter that was made for all of them.
func BenchmarkAdd(b *testing.B) {
	const n = 1 << 20
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = rand.Uint64()
	}
	for _, batch := range []bool{false, true} {
		var chain, one []float64
		b.Run(map[bool]string{false: "one", true: "batch"}[batch], func(b *testing.B) {
			for b.Loop() {
				f, err := New(1000, 0.01)
				if err != nil {
					b.Fatal(err)
				}
				g, err := blocked.NewAtomic(n, 0.01)
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if batch {
					err = f.AddHashes(hashes)
				} else {
					for _, h := range hashes {
						if err = f.AddHash(h); err != nil {
							break
						}
					}
				}
				if err != nil {
					b.Fatal(err)
				}
				chain = append(chain, float64(time.Since(start).Nanoseconds())/n)
				start = time.Now()
				if batch {
					g.AddHashes(hashes)
				} else {
					for _, h := range hashes {
						g.AddHash(h)
					}
				}
				one = append(one, float64(time.Since(start).Nanoseconds())/n)
			}
			slices.Sort(chain)
			slices.Sort(one)
			b.ReportMetric(chain[len(chain)/2], "ns/key")
			b.ReportMetric(chain[len(chain)/2]/one[len(one)/2], "x-one-filter")
		})
	}
}
