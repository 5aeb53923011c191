package rate

import "math"

// MaxBlocks is the largest number of blocks: block numbers have 32 bits.
const MaxBlocks = 1 << 32

// Size returns the fewest blocks, and the number of probes, with which n keys
// have a false positive rate of at most p. It prefers one round of probes
// (k <= 8), which is faster, where that costs less than 1 % of memory. ok is
// false if MaxBlocks are not enough. n > 0 and 0 < p < 1.
func Size(n uint64, p float64) (blocks uint64, k int, ok bool) {
	k = bestK(p)
	blocks, ok = BlocksFor(k, n, p)
	if blocks <= fewBlocks {
		// Blocks are whole, so a small filter has bits to spare. More probes
		// of the same round turn them into a better rate.
		for k%8 != 0 && FalsePositive(k+1, n, blocks) < FalsePositive(k, n, blocks) {
			k++
		}
	}
	return blocks, k, ok
}

// fewBlocks is the size up to which rounding up to a whole block can change
// which k is best.
const fewBlocks = 100

// bestK returns the number of probes that needs the least memory for the rate
// p, with the preference of Size.
func bestK(p float64) int {
	k := 1
	for k < MaxK && p < kFrom[k] {
		k++
	}
	return k
}

// BestK returns the number of probes with the lowest rate for n keys in the
// given number of blocks, or up to 2 % above it if that takes one round only.
func BestK(n, blocks uint64) int {
	best := func(from, to int) (k int, rate float64) {
		rate = math.Inf(1)
		for i := from; i <= to; i++ {
			if r := FalsePositive(i, n, blocks); r < rate {
				k, rate = i, r
			}
		}
		return k, rate
	}
	one, oneRate := best(1, 8)
	if two, twoRate := best(9, MaxK); oneRate > 1.02*twoRate {
		return two
	}
	return one
}

// BlocksFor returns the fewest blocks with which n keys of k probes each have a
// rate of at most p, to one part in 10^5. ok is false if MaxBlocks are not
// enough.
func BlocksFor(k int, n uint64, p float64) (blocks uint64, ok bool) {
	// The root of log(rate) - log(p) over log(blocks), nearly a straight line,
	// by the secant through the last two points, kept inside the bracket
	// (low, high]: low blocks are known to be too few, high to be enough.
	low, high := uint64(0), uint64(0) // high = 0: not known
	slope, lastX, lastY := -float64(k)/2, 0.0, 0.0
	b := guess(k, n, p)
	for i := 0; ; i++ {
		x, y := math.Log(float64(b)), math.Log(FalsePositive(k, n, b)/p)
		if y <= 0 {
			high = b
		} else {
			low = b
		}
		if low >= MaxBlocks {
			return MaxBlocks, false
		}
		if high != 0 && high-low <= 1+high/1e5 {
			return high, true
		}
		if i > 0 {
			if s := (y - lastY) / (x - lastX); s < 0 {
				slope = s
			}
		}
		lastX, lastY = x, y
		switch {
		case i < 8:
			// Aim just beyond the root, so that a good step closes the bracket
			// from the other side.
			beyond := math.Copysign(3e-6, y)
			b = clampInside(math.Exp(x-y/slope)*(1+beyond)+beyond/3e-6, low, high)
		case high == 0: // a curve that the secant does not like
			b = min(2*low, MaxBlocks)
		default:
			b = low + (high-low)/2
		}
	}
}

// clampInside returns b as a number of blocks strictly between low and high,
// or up to MaxBlocks while high is 0, not known.
func clampInside(b float64, low, high uint64) uint64 {
	top := uint64(MaxBlocks)
	if high != 0 {
		top = high - 1
	}
	if !(b < float64(top)) {
		return top
	}
	return max(uint64(b), low+1)
}

// guess returns the blocks that a classic Bloom filter with k probes and the
// rate p would fill.
func guess(k int, n uint64, p float64) uint64 {
	bits := -float64(k) / math.Log1p(-math.Pow(p, 1/float64(k)))
	return clampInside(math.Ceil(float64(n)*bits/512), 0, 0)
}
