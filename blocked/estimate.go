package blocked

import (
	"math"
	"math/bits"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/rate"
)

// FillRatio returns the fraction of bits that are set, 0 to 1. It reads the
// whole filter.
func (r reader) FillRatio() float64 {
	return float64(generic.OnesCount(r.table)) / float64(r.table.Blocks()*generic.BlockBits)
}

// EstimateCount returns an estimate of the number of distinct keys from the
// number of bits that are set; it reads the whole filter. Up to the capacity its
// standard error is about 4 % over the square root of the number of blocks. After
// Intersect it is too high, and it is +Inf if every bit is set.
func (r reader) EstimateCount() float64 {
	return r.Params().EstimateCount(generic.OnesCount(r.table))
}

// EstimateCount returns an estimate of the number of distinct keys in a filter of
// which so many bits are set: +Inf if that is all of them.
func (p Params) EstimateCount(bitsSet uint64) float64 {
	// A key leaves a given bit unset with probability Unset if it falls into
	// the bit's block, 1/B, and surely otherwise. So the expected fraction of
	// unset bits after n keys is (1 - (1-Unset)/B)^n, solved here for n.
	blocks := float64(p.Blocks)
	fill := float64(bitsSet) / (blocks * generic.BlockBits)
	n := math.Log1p(-fill) / math.Log1p((rate.Unset(p.K)-1)/blocks)
	return max(n, 0) // and not -0
}

// EstimateFPRate returns the false positive rate of the filter as it is filled
// now, 0 to 1: the probability that it reports a random absent key present. It
// reads the whole filter, about a GiB a second, and asks nothing of how the bits
// came to be set, so it holds for overfull, united and intersected filters and
// shows a bad hash.
func (r reader) EstimateFPRate() float64 {
	sum := 0.0
	const blockWords = generic.BlockBytes / 8
	for at := 0; at < r.table.Words(); at += blockWords {
		sum += r.blockRate(at)
	}
	return sum / float64(r.table.Blocks())
}

// blockRate returns the probability that all probes of a random key hit set bits
// in the block that begins at word at. The first probe of a lane hits with the
// fraction of the lane's bits that are set, and so does the second.
func (r reader) blockRate(at int) float64 {
	var fill [2 * generic.Lanes]float64 // twice, so that windows need not wrap
	for i := range generic.Lanes / 2 {
		low, high := r.table.Word(at+i), r.table.Word(at+i+generic.Lanes/2)
		even := bits.OnesCount32(uint32(low)) + bits.OnesCount32(uint32(high))
		odd := bits.OnesCount32(uint32(low>>32)) + bits.OnesCount32(uint32(high>>32))
		fill[2*i], fill[2*i+1] = float64(even)/64, float64(odd)/64
	}
	copy(fill[generic.Lanes:], fill[:generic.Lanes])
	rounds, window := (r.table.K()-1)/generic.Lanes, (r.table.K()-1)%generic.Lanes+1
	sum := 0.0
	for s := range generic.Lanes {
		p := 1.0
		for _, f := range fill[s:][:window] {
			p *= f
		}
		sum += p
	}
	mean := sum / generic.Lanes
	if rounds > 0 { // a full round before the last
		for _, f := range fill[:generic.Lanes] {
			mean *= f
		}
	}
	return mean
}
