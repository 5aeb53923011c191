package counting

import (
	"sync"

	"github.com/linebloom/linebloom/generic"
)

// A stripe is the lock of some of the blocks, and what those who hold it have
// counted. Bits and counters of a block are changed only by who holds its lock.
// Readers of the bits take none.
//
// Why a reader never gets a false no for a key X that was added before, and is not
// removed until the reader is done, whatever others do meanwhile:
//
//   - Whenever nobody holds the lock of a block, each of its counters is the number
//     of keys that were added and not removed and have its bit, or is stuck, and a
//     bit is set if and only if its counter is not 0. Adds and removes find it so
//     and leave it so.
//   - X is among those keys, from the moment when its add gave the lock back. Who
//     removes another key lowers a counter of X by one for that key, which was added
//     too, so at least the one for X is left, and the bit is not cleared. Adding
//     clears nothing.
//   - So the bits of X are 1 at every moment, not only when the lock is free: a word
//     is changed in one step, from a value that has them to one that has them. Then it
//     does not matter in what order, or in how many steps, a look-up reads the words of
//     the block.
type stripe struct {
	sync.Mutex
	keys  int64    // added, less those removed; Union and decoding count in the first stripe
	stuck uint64   // counters that have come to stick
	_     [40]byte // so that two locks are not in one cache line
}

const (
	// maxStripes is enough for more goroutines than there are CPUs in a machine: of
	// 100 that add all the time, one in ten waits.
	maxStripes = 1024

	// stripeBlocks is how many blocks a lock has at least, so that locks take little
	// more than one per cent of the memory.
	stripeBlocks = 16
)

// newStripes returns the locks of so many blocks. Their number is a power of two.
func newStripes(blocks uint64) []stripe {
	n := uint64(1)
	for n < maxStripes && 2*n*stripeBlocks <= blocks {
		n *= 2
	}
	return make([]stripe, n)
}

// stripe returns the lock of a block.
func (f *Filter) stripe(block uint64) *stripe {
	return &f.stripes[block&uint64(len(f.stripes)-1)]
}

// blockOf returns the block of hash h.
func (f *Filter) blockOf(h uint64) uint64 {
	return generic.Offset(f.table.Blocks(), h) / generic.BlockBytes
}

// lockAll takes the locks of all blocks. Nobody who holds a lock waits for another but
// here and in lockGroup, both in ascending order, so nobody waits for ever.
func (f *Filter) lockAll() {
	for i := range f.stripes {
		f.stripes[i].Lock()
	}
}

func (f *Filter) unlockAll() {
	for i := range f.stripes {
		f.stripes[i].Unlock()
	}
}
