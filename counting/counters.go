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

// wordCounters are the counters of 64 bits.
type wordCounters [counterBytes / blockWords]byte

// wordCounters returns the counters of 64-bit word i of the filter.
func (f *Filter) wordCounters(i int) *wordCounters {
	return (*wordCounters)(f.counters[i*len(wordCounters{}):])
}

// raise counts one more key for each of the bits in mask. It returns how many
// counters have come to stick.
func (c *wordCounters) raise(mask uint64) (stuck uint64) {
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		at, shift := &c[i>>1], i&1*4
		switch *at >> shift & 15 {
		case stuckAt:
			continue
		case stuckAt - 1:
			stuck++
		}
		*at += 1 << shift
	}
	return stuck
}

// lower counts one key less for each of the bits in mask, whose counters are not 0.
// It returns the bits whose counters are 0 now.
func (c *wordCounters) lower(mask uint64) (unset uint64) {
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		at, shift := &c[i>>1], i&1*4
		switch *at >> shift & 15 {
		case stuckAt:
			continue
		case 1:
			unset |= mask & -mask
		}
		*at -= 1 << shift
	}
	return unset
}

// lows has a one in the lowest bit of each counter of a 64-bit word of them.
const lows = 0x1111111111111111

// bits returns the bits whose counters are not 0, and how many counters stick.
func (c *wordCounters) bits() (set, stuck uint64) {
	for i := 0; i < len(c); i += 8 {
		x := binary.LittleEndian.Uint64(c[i:])
		stuck += uint64(bits.OnesCount64(x & (x >> 1) & (x >> 2) & (x >> 3) & lows))
		// One bit for each counter, and these moved together.
		x = (x | x>>1 | x>>2 | x>>3) & lows
		x = (x | x>>3) & 0x0303030303030303
		x = (x | x>>6) & 0x000f000f000f000f
		x = (x | x>>12) & 0x000000ff000000ff
		x = (x | x>>24) & 0x000000000000ffff
		set |= x << (2 * i)
	}
	return set, stuck
}

// add adds c to the counters of 64 bits. It returns how many have come to stick.
func (c *wordCounters) add(other *wordCounters) (stuck uint64) {
	for i, x := range other {
		low, high := c[i]&15, c[i]>>4
		sumLow, sumHigh := min(low+x&15, stuckAt), min(high+x>>4, stuckAt)
		if sumLow == stuckAt && low != stuckAt {
			stuck++
		}
		if sumHigh == stuckAt && high != stuckAt {
			stuck++
		}
		c[i] = sumLow | sumHigh<<4
	}
	return stuck
}
