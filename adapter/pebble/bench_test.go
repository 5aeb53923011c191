package pebble

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// versus times both functions in turn and reports how many times as long theirs
// takes, by the medians. Only that ratio means something on a busy machine.
func versus(b *testing.B, units int, ours, theirs func()) {
	var a, z []float64
	clock := func(f func()) float64 {
		start := time.Now()
		f()
		return float64(time.Since(start).Nanoseconds()) / float64(units)
	}
	for i, on := 0, true; on || i < 15; i++ {
		if on { // Loop must not be called again once it has said no
			on = b.Loop()
		}
		if i%2 == 0 {
			a, z = append(a, clock(ours)), append(z, clock(theirs))
		} else {
			z, a = append(z, clock(theirs)), append(a, clock(ours))
		}
	}
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	b.ReportMetric(median(a), "ns/ours")
	b.ReportMetric(median(z), "ns/pebble")
	b.ReportMetric(median(z)/median(a), "x")
	b.ReportMetric(0, "ns/op")
}

var benchmarkedBits = []int{10, 16, 20}

// Building the filter of one table: a writer, its keys, its bytes.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		keys := make([][]byte, n)
		for i := range keys {
			keys[i] = keyOf(nil, uint64(i), true)
		}
		for _, bits := range benchmarkedBits {
			var dst []byte
			build := func(p pebble.FilterPolicy) func() {
				return func() {
					w := p.NewWriter(pebble.TableFilter)
					for _, k := range keys {
						w.AddKey(k)
					}
					dst = w.Finish(dst[:0])
				}
			}
			b.Run(fmt.Sprintf("keys=%d/bits=%d", n, bits), func(b *testing.B) {
				versus(b, n, build(FilterPolicy(float64(bits))), build(bloom.FilterPolicy(bits)))
			})
		}
	}
}

// Single look-ups of absent keys in the filters of 1,000 tables at random, 62 MB
// at 10 bits per key.
func BenchmarkMayContainOverManyTables(b *testing.B) {
	const tables, keys, asked = 1000, 50_000, 50_000
	policies := []pebble.FilterPolicy{FilterPolicy(10), bloom.FilterPolicy(10)}
	var filters [2][][]byte
	for i, p := range policies {
		var key []byte
		for t := range uint64(tables) {
			w := p.NewWriter(pebble.TableFilter)
			for k := range uint64(keys) {
				key = keyOf(key[:0], t*keys+k, true)
				w.AddKey(key)
			}
			filters[i] = append(filters[i], w.Finish(nil))
		}
	}
	absent := make([][]byte, asked)
	for i := range absent {
		absent[i] = keyOf(nil, uint64(i), false)
	}
	order := make([]int, asked)
	for i := range order {
		order[i] = rand.IntN(tables)
	}
	ask := func(i int) func() {
		return func() {
			for j, key := range absent {
				sink = policies[i].MayContain(pebble.TableFilter, filters[i][order[j]], key)
			}
		}
	}
	versus(b, asked, ask(0), ask(1))
}

var sink bool

// Gets of absent keys to a database of 20 tables in L0 whose filters and data are
// in the cache.
func BenchmarkGetAbsent(b *testing.B) {
	const tables, keys, asked = 20, 10_000, 2_000
	for _, bits := range benchmarkedBits {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			var ask [2]func()
			for i, p := range []pebble.FilterPolicy{FilterPolicy(float64(bits)), bloom.FilterPolicy(bits)} {
				s := open(b, b.TempDir(), allInL0(options(p)))
				defer s.close()
				for at := range uint64(tables) {
					s.fill(at*keys, (at+1)*keys)
				}
				s.ask(0, tables*keys/4, true) // warms the cache
				from := uint64(0)
				ask[i] = func() { s.ask(from, from+asked, false); from += asked }
			}
			versus(b, asked, ask[0], ask[1])
		})
	}
}

// Filling a database with 200,000 keys, flushes and one compaction of all of it.
func BenchmarkFlushAndCompact(b *testing.B) {
	const n = 200_000
	for _, bits := range benchmarkedBits {
		write := func(p pebble.FilterPolicy) func() {
			return func() {
				s := open(b, b.TempDir(), allInL0(options(p)))
				defer s.close()
				for at := uint64(0); at < n; at += n / 10 {
					s.fill(at, at+n/10)
				}
				if err := s.Compact(b.Context(), []byte("a"), []byte("z"), false); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			versus(b, n, write(FilterPolicy(float64(bits))), write(bloom.FilterPolicy(bits)))
		})
	}
}
