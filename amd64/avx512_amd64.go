//go:build !purego

package amd64

import "github.com/linebloom/linebloom/generic"

// hasAVX512 works like generic.Has on the given number of blocks at data.
//
//go:noescape
func hasAVX512(data *byte, blocks uint64, k int, h uint64) bool

// hasBatchAVX512 works like generic.HasHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func hasBatchAVX512(dst *uint64, data *byte, blocks uint64, k int, hashes *uint64, n int)

// hasAheadAVX512 does the same and prefetches the block of hashes[i+lookahead]
// while it tests hashes[i]. n is a multiple of 64 and n+lookahead hashes are
// there to be read.
//
//go:noescape
func hasAheadAVX512(dst *uint64, data *byte, blocks uint64, k int, hashes *uint64, n int)

// addBatchAVX512 works like generic.AddHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func addBatchAVX512(data *byte, blocks uint64, k int, hashes *uint64, n int)

// addAheadAVX512 does the same and prefetches the block of hashes[i+lookahead]
// while it adds hashes[i]. n+lookahead hashes are there to be read.
//
//go:noescape
func addAheadAVX512(data *byte, blocks uint64, k int, hashes *uint64, n int)

// hashBatchAVX512 works like generic.HashUint64s for n keys, a multiple of 8 and
// at most maxKeys. flip is generic.HashFlip of the seed.
//
//go:noescape
func hashBatchAVX512(dst *uint64, flip uint64, keys *uint64, n int)

// HasAVX512 works like generic.Has.
func HasAVX512(data []byte, k int, h uint64) bool {
	blocks := generic.Blocks(data, k)
	return hasAVX512(&data[0], blocks, k, h)
}

// HasHashesAVX512 works like generic.HasHashes.
func HasHashesAVX512(dst []uint64, data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	generic.CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		hasBatchAVX512(&dst[0], &data[0], blocks, k, &hashes[0], n)
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadAVX512 works like generic.HasHashes, with prefetching.
func HasHashesAheadAVX512(dst []uint64, data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	generic.CheckAnswers(dst, len(hashes))
	prefetchFrom(data, blocks, hashes[:min(len(hashes), lookahead)], 0)
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadAVX512(&dst[0], &data[0], blocks, k, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchFrom(data, blocks, hashes, lookahead)
	HasHashesAVX512(dst, data, k, hashes)
}

// AddHashesAVX512 works like generic.AddHashes.
func AddHashesAVX512(data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addBatchAVX512(&data[0], blocks, k, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddHashesAheadAVX512 works like generic.AddHashes, with prefetching.
func AddHashesAheadAVX512(data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	prefetchFrom(data, blocks, hashes[:min(len(hashes), lookahead)], 0)
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addAheadAVX512(&data[0], blocks, k, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddHashesAVX512(data, k, hashes)
}

// HashUint64sAVX512 works like generic.HashUint64s.
func HashUint64sAVX512(dst []uint64, seed uint64, keys []uint64) {
	generic.CheckHashes(dst, len(keys))
	flip := generic.HashFlip(seed)
	for len(keys) >= 8 {
		n := min(len(keys), maxKeys) &^ 7
		hashBatchAVX512(&dst[0], flip, &keys[0], n)
		dst, keys = dst[n:], keys[n:]
	}
	generic.HashUint64s(dst, seed, keys)
}
