package counting

import (
	"encoding/binary"
	"math/bits"

	"github.com/linebloom/linebloom/generic"
)

// Counter i of a block belongs to bit i of the block, and is the number of keys that
// have the bit: half i&1, 0 being the lower four bits, of byte i>>1 of the block's
// counters. A key whose two rounds of probes (k > 8) meet in one bit has that bit once
// and is counted there once.
const (
	counterBytes = generic.BlockBits / 2
	blockWords   = generic.BlockBytes / 8

	// stuckAt is the value at which a counter stays.
	stuckAt = 15
)

// blockCounters are the counters of a block.
type blockCounters [counterBytes]byte

// blockCounters returns the counters of a block, not a copy.
func (f *Filter) blockCounters(block uint64) *blockCounters {
	return (*blockCounters)(f.counters[block*counterBytes:])
}

// half returns where counter i is: the byte, and by how many bits it is shifted.
func half(i uint32) (at, shift uint32) { return i >> 1 & (counterBytes - 1), i & 1 * 4 }

// sameBit reports whether probe i of a key is the bit of an earlier one: of that in the
// same lane of the first round, since lanes share no bits.
func sameBit(hi uint32, i int) bool {
	return i >= generic.Lanes && generic.Bit(hi, i) == generic.Bit(hi, i-generic.Lanes)
}

// raise counts one more key for each bit of a key of which hi is the upper half of the
// hash. It returns how many counters have come to stick.
func (c *blockCounters) raise(hi uint32, k int) (stuck uint64) {
	for i := range k {
		at, shift := half(generic.Bit(hi, i))
		n := c[at] >> shift & 15
		if n == stuckAt || sameBit(hi, i) {
			continue
		}
		c[at] += 1 << shift
		if n == stuckAt-1 {
			stuck++
		}
	}
	return stuck
}

// lower counts one key less for each bit of a key, whose counters are not 0. It
// returns the bits whose counters are 0 now, by the 64-bit words of the block.
func (c *blockCounters) lower(hi uint32, k int) (unset [blockWords]uint64) {
	for i := range k {
		p := generic.Bit(hi, i)
		at, shift := half(p)
		n := c[at] >> shift & 15
		if n == stuckAt || sameBit(hi, i) {
			continue
		}
		c[at] -= 1 << shift
		// Without a branch, which would go either way as often: 1 if n is 1.
		unset[p>>6&(blockWords-1)] |= (uint64(n) - 2) >> 63 << (p & 63)
	}
	return unset
}

// lows has a one in the lowest bit of each counter of a 64-bit word of them.
const lows = 0x1111111111111111

// word returns 64-bit word i of the bits whose counters are not 0, and how many of its
// counters stick.
func (c *blockCounters) word(i int) (set, stuck uint64) {
	const halves = counterBytes / blockWords // bytes of the counters of a word
	for j := 0; j < halves; j += 8 {
		x := binary.LittleEndian.Uint64(c[i*halves+j:])
		stuck += uint64(bits.OnesCount64(x & (x >> 1) & (x >> 2) & (x >> 3) & lows))
		// One bit for each counter, and these moved together.
		x = (x | x>>1 | x>>2 | x>>3) & lows
		x = (x | x>>3) & 0x0303030303030303
		x = (x | x>>6) & 0x000f000f000f000f
		x = (x | x>>12) & 0x000000ff000000ff
		x = (x | x>>24) & 0x000000000000ffff
		set |= x << (2 * j)
	}
	return set, stuck
}

// add adds other to the counters. It returns how many have come to stick.
func (c *blockCounters) add(other *blockCounters) (stuck uint64) {
	for i := range uint32(generic.BlockBits) {
		at, shift := half(i)
		n := c[at] >> shift & 15
		sum := min(n+other[at]>>shift&15, stuckAt)
		if sum == stuckAt && n != stuckAt {
			stuck++
		}
		c[at] += (sum - n) << shift
	}
	return stuck
}
