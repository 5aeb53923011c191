package blocked

import (
	"math/rand/v2"
	"testing"
)

// However many goroutines add a batch, the bits are those of adding one by one,
// also where blocks do not divide evenly.
func TestBulkEqualsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for _, blocks := range []uint64{1, 2, 3, 1000, 1 << maxPartShift, 3<<maxPartShift + 1} {
		p := Params{Blocks: blocks, K: 6}
		for _, n := range []int{0, 1, bulkChunk - 1, bulkChunk, bulkChunk + 1, 200_003} {
			hashes := make([]uint64, n)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			want, _ := NewFromParams(p)
			for _, h := range hashes {
				want.AddHash(h)
			}
			for workers := 1; workers <= 8; workers++ {
				got, _ := NewFromParams(p)
				addBulk(got.table, hashes, workers)
				if !got.Equal(want) {
					t.Fatalf("%d blocks, %d keys, %d goroutines: the bits differ", blocks, n, workers)
				}
			}
		}
	}
}

// A batch above the limits gives the same filter with any number of workers.
func TestAddHashesParallel(t *testing.T) {
	want, _ := NewFromParams(Params{Blocks: bulkBlocks + 1, K: 6})
	hashes := make([]uint64, bulkKeys+1)
	r := rand.New(rand.NewPCG(11, 11))
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	want.AddHashes(hashes)
	for _, workers := range []int{-1, 0, 1, 2, 3, 1000} {
		got := want.NewLike()
		if got.AddHashesParallel(hashes, workers); !got.Equal(want) {
			t.Fatalf("%d workers: the bits differ", workers)
		}
		if got.AddHashesParallel(nil, workers); !got.Equal(want) {
			t.Fatalf("%d workers: no keys change the filter", workers)
		}
	}
}
