package asm

import (
	"math/rand/v2"
	"testing"

	"github.com/linebloom/linebloom/generic"
)

// A false no is the one error that a filter may not make. Every kernel, for
// every k, adds keys by itself and finds each of them by each of its tests: more
// than 10^8 pairs of a key and a probe per kernel.
func TestNoFalseNegatives(t *testing.T) {
	const n = 250_000
	for _, kernel := range Kernels() {
		r := rand.New(rand.NewPCG(9, 9))
		hashes, dst := make([]uint64, n), make([]uint64, generic.Words(n))
		pairs := 0
		for k := 1; k <= generic.MaxK; k++ {
			data := make([]byte, (n/50+int(r.Uint32N(100)))*generic.BlockBytes)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			table := generic.NewTable(data, k)
			kernel.AddHashes(table, hashes[:n/2])
			kernel.AddHashesAhead(table, hashes[n/2:])
			for _, has := range []func([]uint64, generic.Table, []uint64){kernel.HasHashes, kernel.HasHashesAhead} {
				clear(dst)
				has(dst, table, hashes)
				for i, h := range hashes {
					if dst[i/64]>>(i%64)&1 == 0 {
						t.Fatalf("%s, k = %d: hash %#x is lost to a batch test", kernel.Name, k, h)
					}
				}
			}
			for _, h := range hashes {
				if !kernel.Has(table, h) {
					t.Fatalf("%s, k = %d: hash %#x is lost", kernel.Name, k, h)
				}
			}
			pairs += 3 * k * n
		}
		t.Logf("%s: 0 false negatives in %d pairs of a key and a probe", kernel.Name, pairs)
		if pairs < 1e8 {
			t.Errorf("%s: only %d pairs were tested", kernel.Name, pairs)
		}
	}
}
