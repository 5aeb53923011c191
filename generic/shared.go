package generic

import (
	"encoding/binary"
	"sync/atomic"
)

// The functions below work on a filter that several goroutines, or processes,
// read and set bits in at once. Bits only ever go from 0 to 1. words is the
// filter's memory as 64-bit words in the CPU's own byte order, aligned to 8
// bytes (to 64 bytes where a block must be one cache line).

// blockWords is the number of 64-bit words in a block.
const blockWords = BlockBytes / 8

// byteFlip turns the number of a bit in a little-endian word into its number
// in a word of this CPU: 0 on little-endian CPUs; on big-endian ones it mirrors
// the bytes.
var byteFlip = func() uint32 {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return 0
	}
	return 56
}()

// sharedBlock returns the block of hash h and the bits that the key has in it.
// A key has several bits in a word, and setting them together costs one atomic
// operation instead of one per bit.
func sharedBlock(words []uint64, k int, h uint64) (block *[blockWords]uint64, mask [blockWords]uint64) {
	block = (*[blockWords]uint64)(words[Offset(uint64(len(words)/blockWords), h)/8:])
	hi := uint32(h >> 32)
	for i := range k {
		p := Bit(hi, i)
		mask[p>>6&(blockWords-1)] |= 1 << (p&63 ^ byteFlip)
	}
	return block, mask
}

func checkShared(words []uint64, k int) {
	checkSize(8*uint64(len(words)), k)
}

// HasShared is Has with atomic loads.
func HasShared(words []uint64, k int, h uint64) bool {
	checkShared(words, k)
	block := (*[blockWords]uint64)(words[Offset(uint64(len(words)/blockWords), h)/8:])
	hi := uint32(h >> 32)
	for i := range k {
		p := Bit(hi, i)
		if atomic.LoadUint64(&block[p>>6&(blockWords-1)])>>(p&63^byteFlip)&1 == 0 {
			return false
		}
	}
	return true
}

// HasHashesShared is HasHashes with atomic loads.
func HasHashesShared(dst []uint64, words []uint64, k int, hashes []uint64) {
	checkShared(words, k)
	CheckAnswers(dst, len(hashes))
	clear(dst[:Words(len(hashes))])
	for i, h := range hashes {
		if HasShared(words, k, h) {
			dst[i/64] |= 1 << (i % 64)
		}
	}
}

// AddShared is Add for a filter that others use at the same time. A word that
// already has its bits is only read: a cache line that nobody writes can stay
// in the caches of all cores.
func AddShared(words []uint64, k int, h uint64) {
	checkShared(words, k)
	block, mask := sharedBlock(words, k, h)
	for i, m := range mask {
		if m != 0 && atomic.LoadUint64(&block[i])&m != m {
			atomic.OrUint64(&block[i], m)
		}
	}
}

// TestAndAddShared adds the key and reports whether it was there before. Of
// all concurrent calls for one key at most one returns false, and exactly one
// does unless bits of other keys made the key look present.
//
// Why: take the snapshot of the words in ascending order, then set what is
// missing in ascending order, and let a call win only if the last word that
// was missing in its snapshot still lacked a bit when the call set it. Suppose
// that two calls A and B for one key both won, at words a and b.
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
func TestAndAddShared(words []uint64, k int, h uint64) bool {
	checkShared(words, k)
	block, mask := sharedBlock(words, k, h)
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
