package asm

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

// Shared tables get the bits of plain ones, whether they begin empty, half full
// or with all the keys.
func TestAddSharedEqualsGeneric(t *testing.T) {
	const blocks = 13
	for _, kernel := range Kernels() {
		r := rand.New(rand.NewPCG(9, 9))
		for name, add := range map[string]func(generic.Table, []uint64){
			"AddShared": kernel.AddShared, "AddSharedAhead": kernel.AddSharedAhead,
		} {
			for k := 1; k <= generic.MaxK; k++ {
				for _, n := range lengths() {
					words := mem.Words(blocks * generic.BlockBytes / 8)
					shared := generic.NewShared(words, k)
					want := generic.NewTable(make([]byte, blocks*generic.BlockBytes), k)
					hashes := make([]uint64, n)
					for i := range hashes {
						hashes[i] = r.Uint64()
					}
					if n%3 > 0 { // some of them are there already
						some := hashes[:n/(n%3)]
						generic.AddHashes(shared, some)
					}
					generic.AddHashes(want, hashes)
					add(shared, hashes)
					if !bytes.Equal(shared.Data(), want.Data()) {
						t.Fatalf("%s, %s, k = %d, %d keys: the bits differ", kernel.Name, name, k, n)
					}
				}
			}
		}
	}
}

// Goroutines that set bits in the same few lines at once lose none of them. Each
// round begins with empty lines and leaves them about half full: in full ones a
// lost bit would soon be set by another key.
func TestAddSharedLosesNothing(t *testing.T) {
	const goroutines, rounds, blocks = 8, 300, 7
	for _, kernel := range Kernels() {
		for _, k := range []int{1, 6, 8, 11, 16} {
			r := rand.New(rand.NewPCG(uint64(k), 0))
			for range rounds {
				shared := generic.NewShared(mem.Words(blocks*generic.BlockBytes/8), k)
				want := generic.NewTable(make([]byte, blocks*generic.BlockBytes), k)
				var wg sync.WaitGroup
				start := make(chan struct{})
				for range goroutines {
					hashes := make([]uint64, blocks*350/k/goroutines)
					for i := range hashes {
						hashes[i] = r.Uint64()
					}
					generic.AddHashes(want, hashes)
					wg.Go(func() {
						<-start
						kernel.AddShared(shared, hashes)
					})
				}
				close(start)
				wg.Wait()
				if !bytes.Equal(shared.Data(), want.Data()) {
					t.Fatalf("%s, k = %d: the bits differ", kernel.Name, k)
				}
			}
		}
	}
}
