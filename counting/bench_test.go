package counting

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// benchKeys distinct keys: with fewer the branch predictor learns the answers.
const benchKeys = 1 << 18

// BenchmarkAgainstPlain measures a counting filter against a blocked.AtomicFilter of
// the same geometry, at ten bits per key, k = 6. The two run in turns, and the medians
// count: ns per key, and how many times as long as the plain filter it takes. Removes
// have no plain counterpart and are set against its adds. ns/op is the time of one
// turn of all.
func BenchmarkAgainstPlain(b *testing.B) {
	for _, size := range []struct {
		name   string
		blocks uint64
	}{{"64KiB", 1 << 10}, {"1MiB", 1 << 14}, {"16MiB", 1 << 18}} {
		b.Run(size.name, func(b *testing.B) { benchAgainstPlain(b, blocked.Params{Blocks: size.blocks, K: 6}) })
	}
}

func benchAgainstPlain(b *testing.B, p blocked.Params) {
	f := newTest(b, p)
	plain, err := blocked.NewAtomicFromParams(p)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	random := func(n uint64) []uint64 {
		hashes := make([]uint64, n)
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		return hashes
	}
	keys := random(p.Blocks * 512 / 10)
	f.AddHashes(keys)
	plain.AddHashes(keys)
	queries := random(benchKeys)
	few := min(p.Blocks, 1<<14) // so that the filter stays as full
	batch, single := random(few), random(few)
	answers := make([]uint64, benchKeys/64)

	var scratch *blocked.AtomicFilter // plain, with more added
	hits := [2]int{}
	each := func(hashes []uint64, do func(uint64)) func() {
		return func() {
			for _, h := range hashes {
				do(h)
			}
		}
	}
	count := func(has func(uint64) bool) func(uint64) {
		return func(h uint64) {
			if has(h) {
				benchHits++
			}
		}
	}
	runs := []struct {
		name string
		keys int
		run  func()
	}{
		{"HasHashes", len(queries), func() { hits[0] = f.HasHashes(answers, queries) }},
		{"plain-HasHashes", len(queries), func() { hits[1] = plain.HasHashes(answers, queries) }},
		{"HasHash", len(queries), each(queries, count(f.HasHash))},
		{"plain-HasHash", len(queries), each(queries, count(plain.HasHash))},
		{"AddHashes", len(batch), func() { f.AddHashes(batch) }},
		{"plain-AddHashes", len(batch), func() { scratch.AddHashes(batch) }},
		{"RemoveHashes", len(batch), func() { f.RemoveHashes(nil, batch) }},
		{"AddHash", len(single), each(single, f.AddHash)},
		{"plain-AddHash", len(single), func() { each(single, scratch.AddHash)() }},
		{"RemoveHash", len(single), each(single, func(h uint64) { f.RemoveHash(h) })},
	}
	times := map[string][]float64{}
	for b.Loop() {
		for _, r := range runs {
			if r.name == "AddHashes" { // after the look-ups, which it would warm the cache for
				scratch = plain.Clone()
			}
			start := time.Now()
			r.run()
			times[r.name] = append(times[r.name], float64(time.Since(start).Nanoseconds())/float64(r.keys))
		}
	}
	if hits[0] != hits[1] || !f.Plain().Equal(plain) {
		b.Fatalf("%d and %d hits, or other bits", hits[0], hits[1])
	}
	median := func(name string) float64 {
		slices.Sort(times[name])
		return times[name][len(times[name])/2]
	}
	for _, c := range []struct{ ours, plain string }{
		{"HasHashes", "HasHashes"}, {"HasHash", "HasHash"}, {"AddHashes", "AddHashes"},
		{"RemoveHashes", "AddHashes"}, {"AddHash", "AddHash"}, {"RemoveHash", "AddHash"},
	} {
		b.ReportMetric(median(c.ours), "ns/"+c.ours)
		b.ReportMetric(median(c.ours)/median("plain-"+c.plain), "x-"+c.ours)
	}
}

var benchHits int
