package generic

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// The operations on shared tables. Bits only ever go from 0 to 1.

// blockWords is the number of 64-bit words in a block.
const blockWords = BlockBytes / 8

var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

// little turns a word in the CPU's byte order into the number that its bytes are
// in little-endian order, and back.
func little(x uint64) uint64 {
	if bigEndian {
		return bits.ReverseBytes64(x)
	}
	return x
}

// words returns the memory of a shared table as 64-bit words, in the CPU's byte
// order.
func (t Table) words() []uint64 {
	// NewShared took base from a slice of words.
	return unsafe.Slice((*uint64)(unsafe.Pointer(t.base)), t.blocks*blockWords)
}

func (t Table) sharedBlock(h uint64) *[blockWords]uint64 {
	return (*[blockWords]uint64)(t.words()[Offset(t.blocks, h)/8:])
}

// mask returns the bits of the key with hash h, by the words of its block. A key
// has several bits in a word, and setting them together costs one atomic
// operation instead of one per bit.
func (t Table) mask(h uint64) (mask [blockWords]uint64) {
	hi := uint32(h >> 32)
	for i := range t.K() {
		p := Bit(hi, i)
		mask[p>>6&(blockWords-1)] |= 1 << (p & 63)
	}
	if bigEndian {
		for i, m := range mask {
			mask[i] = little(m)
		}
	}
	return mask
}

// hasShared is Has with atomic loads.
func hasShared(t Table, h uint64) bool {
	block, hi := t.sharedBlock(h), uint32(h>>32)
	for i := range t.K() {
		p := Bit(hi, i)
		if little(atomic.LoadUint64(&block[p>>6&(blockWords-1)]))>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

// addShared is Add with atomic operations. A word that already has its bits is
// only read: a cache line that nobody writes can stay in the caches of all cores.
func addShared(t Table, h uint64) {
	block, mask := t.sharedBlock(h), t.mask(h)
	for i, m := range mask {
		if m != 0 && atomic.LoadUint64(&block[i])&m != m {
			atomic.OrUint64(&block[i], m)
		}
	}
}

// testAndAddShared adds the key and tells whether it was there before.
//
// Why at most one of all concurrent calls for one key returns false: take the
// snapshot of the words in ascending order, then set what is missing in
// ascending order, and let a call win only if the last word that was missing in
// its snapshot still lacked a bit when the call set it. Suppose that two calls A
// and B for one key both won, at words a and b.
//
//   - a = b: the first of the two to set the word set all the key's bits in
//     it, so the second found none missing. Contradiction.
//   - a < b: A saw word b complete in its snapshot, so B, which completed it,
//     had done so before A read b. B completes words in ascending order, so
//     word a was complete before that, and A set word a only after its
//     snapshot: it found nothing missing there. Contradiction.
//
// And one wins: the first call to set the last word of the key that was
// incomplete at the start saw it missing and found it missing.
func testAndAddShared(t Table, h uint64) bool {
	block, mask := t.sharedBlock(h), t.mask(h)
	var missing uint32 // bit i: word i lacked a bit in the snapshot
	for i, m := range mask {
		if atomic.LoadUint64(&block[i])&m != m {
			missing |= 1 << i
		}
	}
	won := false
	for i, m := range mask {
		if missing>>i&1 != 0 {
			won = atomic.OrUint64(&block[i], m)&m != m // the last word decides
		}
	}
	return !won
}
