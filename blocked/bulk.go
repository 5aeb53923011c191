package blocked

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/mem"
)

const (
	// bulkKeys and bulkBlocks are the size of a batch, and of a filter, from
	// which adding is shared out. Smaller batches take less than a millisecond,
	// and smaller filters lie mostly in the second-level cache of one core.
	bulkKeys   = 1 << 18
	bulkBlocks = 4 << 20 / generic.BlockBytes

	// maxPartShift is the logarithm of the most blocks of a part: 1 MiB of them
	// fits into a second-level cache beside the keys that are added.
	maxPartShift = 14

	// partsPerWorker is how many parts there are at least for each goroutine, so
	// that two seldom want the same one.
	partsPerWorker = 16

	// binsPerBlock is the number of keys that bins can hold, for each block of
	// the filter: with fewer, a part is brought into the cache too often, and
	// more need more memory. It makes them half as large as the filter.
	binsPerBlock = 4

	// bulkChunk is the number of hashes that a goroutine takes at a time.
	bulkChunk = 4096
)

// AddHashesParallel adds a batch of keys, given by their hashes, with as many
// goroutines as workers says, at most GOMAXPROCS; 0 means GOMAXPROCS. They have
// ended when it returns. Meanwhile it needs half as much memory again as the
// filter has. Batches below 262144 keys, and those for filters below 4 MiB, are
// added by AddHashes.
func (f *Filter) AddHashesParallel(hashes []uint64, workers int) {
	if most := runtime.GOMAXPROCS(0); workers <= 0 || workers > most {
		workers = most
	}
	if workers == 1 || len(hashes) < bulkKeys || f.table.Blocks() < bulkBlocks {
		f.AddHashes(hashes)
		return
	}
	addBulk(f.table, hashes, workers)
}

// addBulk adds a batch with several goroutines. Each puts the hashes that it
// takes into bins, one for each part of the filter, and adds a bin that is full
// while it holds the lock of its part. So no two of them write to the same line
// at once, and the lines that a bin needs come into the cache of one core, for
// several keys each.
//
// With one goroutine this is slower than adding with prefetching as the hashes
// come, since those have to be written and read once more.
func addBulk(t generic.Table, hashes []uint64, workers int) {
	shift := maxPartShift
	for shift > 0 && t.Blocks()>>shift < uint64(partsPerWorker*workers) {
		shift--
	}
	parts := int((t.Blocks()-1)>>shift) + 1
	// Bins fill up at the same pace. A line more than a power of two keeps their
	// ends out of each other's sets in the caches.
	binKeys := max(binsPerBlock<<shift/workers, 64)&^7 + 8
	locks := make([]sync.Mutex, parts)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			b := bins{
				table: t, shift: shift, locks: locks,
				fill: make([]uint32, parts), hashes: mem.Words(parts * binKeys), keys: uint32(binKeys),
			}
			for {
				to := int(next.Add(bulkChunk))
				if to-bulkChunk >= len(hashes) {
					break
				}
				b.put(hashes[to-bulkChunk : min(to, len(hashes))])
			}
			for part := range b.fill {
				b.empty(part)
			}
		})
	}
	wg.Wait()
}

// bins are the hashes that a goroutine has taken and not yet added, by parts.
type bins struct {
	table  generic.Table
	shift  int          // block >> shift is the part
	locks  []sync.Mutex // of the parts, for all goroutines
	fill   []uint32     // number of hashes in each bin
	hashes []uint64     // keys of them for each bin
	keys   uint32
}

func (b *bins) put(hashes []uint64) {
	blocks, fill, keys, shift := b.table.Blocks(), b.fill, b.keys, b.shift&31+32
	for _, h := range hashes {
		part := uint32(uint64(uint32(h)) * blocks >> shift)
		n := fill[part]
		b.hashes[uint64(part)*uint64(keys)+uint64(n)] = h
		fill[part] = n + 1
		if n+1 == keys {
			b.empty(int(part))
		}
	}
}

// empty adds the hashes of a bin.
func (b *bins) empty(part int) {
	full := b.hashes[part*int(b.keys):][:b.fill[part]]
	b.fill[part] = 0
	b.locks[part].Lock()
	asm.AddHashes(b.table, full)
	b.locks[part].Unlock()
}
