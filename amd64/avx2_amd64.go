//go:build !purego

package amd64

import "github.com/linebloom/linebloom/generic"

// hasAVX2 works like generic.Has on the given number of blocks at data.
//
//go:noescape
func hasAVX2(data *byte, blocks uint64, k int, h uint64) bool

// hasBatchAVX2 works like generic.HasHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func hasBatchAVX2(dst *uint64, data *byte, blocks uint64, k int, hashes *uint64, n int)

// hasAheadAVX2 does the same and prefetches the block of hashes[i+lookahead]
// while it tests hashes[i]. n is a multiple of 64 and n+lookahead hashes are
// there to be read.
//
//go:noescape
func hasAheadAVX2(dst *uint64, data *byte, blocks uint64, k int, hashes *uint64, n int)

// addBatchAVX2 works like generic.AddHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func addBatchAVX2(data *byte, blocks uint64, k int, hashes *uint64, n int)

// addAheadAVX2 does the same and prefetches the block of hashes[i+lookahead]
// while it adds hashes[i]. n+lookahead hashes are there to be read.
//
//go:noescape
func addAheadAVX2(data *byte, blocks uint64, k int, hashes *uint64, n int)

// hashBatchAVX2 works like generic.HashUint64s for n keys, a multiple of 4 and
// at most maxKeys. flip is generic.HashFlip of the seed.
//
//go:noescape
func hashBatchAVX2(dst *uint64, flip uint64, keys *uint64, n int)

// HasAVX2 works like generic.Has.
func HasAVX2(data []byte, k int, h uint64) bool {
	blocks := generic.Blocks(data, k)
	return hasAVX2(&data[0], blocks, k, h)
}

// HasHashesAVX2 works like generic.HasHashes.
func HasHashesAVX2(dst []uint64, data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	generic.CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		hasBatchAVX2(&dst[0], &data[0], blocks, k, &hashes[0], n)
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadAVX2 works like generic.HasHashes, with prefetching.
func HasHashesAheadAVX2(dst []uint64, data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	generic.CheckAnswers(dst, len(hashes))
	prefetchFrom(data, blocks, hashes[:min(len(hashes), lookahead)], 0)
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadAVX2(&dst[0], &data[0], blocks, k, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchFrom(data, blocks, hashes, lookahead)
	HasHashesAVX2(dst, data, k, hashes)
}

// AddHashesAVX2 works like generic.AddHashes.
func AddHashesAVX2(data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addBatchAVX2(&data[0], blocks, k, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddHashesAheadAVX2 works like generic.AddHashes, with prefetching.
func AddHashesAheadAVX2(data []byte, k int, hashes []uint64) {
	blocks := generic.Blocks(data, k)
	prefetchFrom(data, blocks, hashes[:min(len(hashes), lookahead)], 0)
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addAheadAVX2(&data[0], blocks, k, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddHashesAVX2(data, k, hashes)
}

// HashUint64sAVX2 works like generic.HashUint64s.
func HashUint64sAVX2(dst []uint64, seed uint64, keys []uint64) {
	generic.CheckHashes(dst, len(keys))
	flip := generic.HashFlip(seed)
	for len(keys) >= 4 {
		n := min(len(keys), maxKeys) &^ 3
		hashBatchAVX2(&dst[0], flip, &keys[0], n)
		dst, keys = dst[n:], keys[n:]
	}
	generic.HashUint64s(dst, seed, keys)
}
