package main

import "math"

// A classic Bloom filter of m bits with n keys of k probes each, anywhere in it,
// says yes to an absent key with probability (1 - e^(-kn/m))^k (Bloom 1970, as
// Pei Cao's tables have it). It is the rate for random hashes and a large m. bits
// is m/n, the bits per key.
func classicRate(bits float64, k int) float64 {
	return math.Pow(-math.Expm1(-float64(k)/bits), float64(k))
}

// classicBestRealK returns the k with the lowest rate, if k need not be whole.
func classicBestRealK(bits float64) float64 { return bits * math.Ln2 }

// classicBestK returns the whole k with the lowest rate.
func classicBestK(bits float64) int {
	k := max(int(classicBestRealK(bits)), 1)
	if classicRate(bits, k+1) < classicRate(bits, k) {
		k++
	}
	return k
}

// classicBits returns the bits per key that k probes need for a rate.
func classicBits(rate float64, k int) float64 {
	return -float64(k) / math.Log1p(-math.Pow(rate, 1/float64(k)))
}

// classicBestKForRate returns the k that needs the fewest bits for a rate.
func classicBestKForRate(rate float64) int {
	k := max(int(-math.Log2(rate)), 1)
	if classicBits(rate, k+1) < classicBits(rate, k) {
		k++
	}
	return k
}
