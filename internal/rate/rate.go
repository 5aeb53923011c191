// Package rate computes the false positive rate of a filter exactly, and turns
// the question around: how many blocks and probes a wanted rate needs.
//
// # The model
//
// Of n keys each falls into one of B blocks, independently, so that the number
// of keys in a block is binomial with mean n/B. What a block with j keys
// answers to an absent key depends on k and j alone: blockRates[k][j], the
// probability that all k probes of the absent key hit bits that are set. The
// rate of the filter is the mean of it over the binomial distribution,
//
//	rate = sum over j of C(n,j) (1/B)^j (1-1/B)^(n-j) * blockRates[k][j]
//
// a sum of positive terms that loses no digits. Add n/B / 2^32 for keys whose
// hashes agree in all the bits that choose the probes.
//
// # Where blockRates comes from
//
// The lanes of a block are filled independently, once it is given which keys
// use them. With W(s) the lanes of a window that starts at s, and k <= 8,
// inclusion and exclusion over the set T of the query's lanes whose bit would
// have to be unset gives
//
//	blockRates[k][j] = sum over T in W(0) of (-1)^|T| * phi(T)^j
//	phi(T)           = 1/8 * sum over s of (63/64)^|W(s) and T|
//
// phi(T) being the probability that one key leaves all bits of T unset. With
// two rounds a lane holds up to two probes of the query, whose positions
// coincide with probability 1/64, and up to two of a key; the sum then runs
// over the number of distinct unset positions of each lane. The terms are large
// and cancel, so the table is made by the program in gen with 512 bits of
// precision. Its test makes it again, and the tests of package blocked measure
// filters against it.
package rate

import "math"

//go:generate go run ./gen

// MaxK is the largest number of probes.
const MaxK = 16

// FalsePositive returns the probability that an absent key is reported present
// by a filter of the given number of blocks that holds n distinct keys with k
// probes each. It takes about a microsecond. 1 <= k <= MaxK and blocks > 0.
func FalsePositive(k int, n, blocks uint64) float64 {
	if n == 0 {
		return 0
	}
	load := float64(n) / float64(blocks)
	r := load / (1 << 32)
	if blocks == 1 {
		r += Block(k, n)
	} else {
		r += meanBlock(k, n, load, float64(blocks))
	}
	return min(r, 1)
}

// negligible is the weight, relative to the largest one, below which the tails
// of the binomial distribution are cut off. It is far below the rate of equal
// hashes, n/B / 2^32, for any load that has a rate worth computing.
const negligible = 1e-18

// meanBlock is the mean of Block over the number of keys in a block. The
// weights are computed from the most likely number outwards, by the ratio of
// neighbours, and normalised at the end: no logarithms of large factorials.
func meanBlock(k int, n uint64, load, blocks float64) float64 {
	keys, odds := float64(n), 1/(blocks-1)
	mode := uint64(min((keys+1)/blocks, keys))
	weights, sum := 1.0, Block(k, mode)
	w := 1.0
	for j := mode; j < n; {
		w *= (keys - float64(j)) / float64(j+1) * odds
		if w < negligible {
			break
		}
		j++
		weights += w
		sum += w * Block(k, j)
	}
	w = 1
	for j := mode; j > 0; {
		w *= float64(j) / (keys - float64(j) + 1) / odds
		if w < negligible {
			break
		}
		j--
		weights += w
		sum += w * Block(k, j)
	}
	return sum / weights
}

// Block returns the probability that a block which holds j keys with k probes
// each reports an absent key present.
func Block(k int, j uint64) float64 {
	if j < tableKeys {
		return float64(blockRates[k-1][j])
	}
	// A block with so many keys is so full that it no longer matters which
	// keys share lanes: the lanes may be taken as independent. Against the
	// exact sum this is wrong by less than 0.3 % at tableKeys, and by less
	// with every further key.
	return math.Pow(1-math.Pow(Unset(k), float64(j)), float64(k))
}

// Unset returns the probability that one key leaves a given bit of its block
// unset: a lane is in the window of a round with probability m/8, and the bit
// is one of 64.
func Unset(k int) float64 {
	if k <= 8 {
		return 1 - float64(k)/512
	}
	return (1 - 1./64) * (1 - float64(k-8)/512)
}
