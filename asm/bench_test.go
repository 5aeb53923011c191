package asm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

// benchKeys distinct hashes: with fewer the branch predictor learns the answers
// of code that branches on them.
const benchKeys = 1 << 20

// BenchmarkKernels gives ns per key of each operation of each kernel, at 10 bits
// per key, for absent keys.
func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	queries, dst := make([]uint64, benchKeys), make([]uint64, benchKeys/64)
	for i := range queries {
		queries[i] = r.Uint64()
	}
	for _, size := range []int{16 << 10, 256 << 10, 4 << 20, 64 << 20, 512 << 20} {
		for _, k := range []int{6, 8, 12} {
			table := generic.NewTable(mem.Bytes(mem.Words(size/8)), k)
			fill(table, r)
			for _, kernel := range Kernels() {
				run := func(op string, f func()) {
					b.Run(fmt.Sprintf("%s/%dKiB/k=%d/%s", op, size>>10, k, kernel.Name), func(b *testing.B) {
						for b.Loop() {
							f()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/key")
					})
				}
				run("Has", func() {
					hits := 0
					for _, h := range queries {
						if kernel.Has(table, h) {
							hits++
						}
					}
					benchHits = hits
				})
				run("HasHashes", func() { kernel.HasHashes(dst, table, queries) })
				run("HasHashesAhead", func() { kernel.HasHashesAhead(dst, table, queries) })
			}
			for _, kernel := range Kernels() { // last: they change the filter
				for op, add := range map[string]func(generic.Table, []uint64){
					"AddHashes": kernel.AddHashes, "AddHashesAhead": kernel.AddHashesAhead,
				} {
					b.Run(fmt.Sprintf("%s/%dKiB/k=%d/%s", op, size>>10, k, kernel.Name), func(b *testing.B) {
						for b.Loop() {
							add(table, queries)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/key")
					})
				}
			}
		}
	}
}

var benchHits int

// fill adds random hashes at 10 bits per key.
func fill(t generic.Table, r *rand.Rand) {
	hashes := make([]uint64, 64)
	for range len(t.Data()) * 8 / 10 / len(hashes) {
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		AddHashes(t, hashes)
	}
}
