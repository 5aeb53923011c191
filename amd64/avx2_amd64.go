//go:build !purego

package amd64

import "github.com/linebloom/linebloom/generic"

// hasAVX2 works like generic.Has.
//
//go:noescape
func hasAVX2(t generic.Table, h uint64) bool

// hasEachAVX2 works like generic.HasEach for n tables, 0 < n <= 64.
//
//go:noescape
func hasEachAVX2(dst *uint64, tables *generic.Table, n int, h uint64)

// hasBatchAVX2 works like generic.HasHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func hasBatchAVX2(dst *uint64, t generic.Table, hashes *uint64, n int)

// hasAheadAVX2 does the same and prefetches the block of hashes[i+lookahead]
// while it tests hashes[i]. n is a multiple of 64 and n+lookahead hashes are
// there to be read.
//
//go:noescape
func hasAheadAVX2(dst *uint64, t generic.Table, hashes *uint64, n int)

// addBatchAVX2 works like generic.AddHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func addBatchAVX2(t generic.Table, hashes *uint64, n int)

// addAheadAVX2 does the same and prefetches the block of hashes[i+lookahead]
// while it adds hashes[i]. n+lookahead hashes are there to be read.
//
//go:noescape
func addAheadAVX2(t generic.Table, hashes *uint64, n int)

// hashBatchAVX2 works like generic.HashUint64s for n keys, a multiple of 4 and
// at most maxKeys. flip is generic.HashFlip of the seed.
//
//go:noescape
func hashBatchAVX2(dst *uint64, flip uint64, keys *uint64, n int)

// HasAVX2 works like generic.Has.
func HasAVX2(t generic.Table, h uint64) bool {
	return hasAVX2(t, h)
}

// HasEachAVX2 works like generic.HasEach.
func HasEachAVX2(dst []uint64, tables []generic.Table, h uint64) {
	generic.CheckAnswers(dst, len(tables))
	for len(tables) > 0 {
		n := min(len(tables), 64)
		hasEachAVX2(&dst[0], &tables[0], n, h)
		dst, tables = dst[1:], tables[n:]
	}
}

// HasHashesAVX2 works like generic.HasHashes.
func HasHashesAVX2(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		hasBatchAVX2(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadAVX2 works like generic.HasHashes, with prefetching.
func HasHashesAheadAVX2(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadAVX2(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchBatch(t, hashes[min(len(hashes), lookahead):])
	HasHashesAVX2(dst, t, hashes)
}

// AddHashesAVX2 works like generic.AddHashes.
func AddHashesAVX2(t generic.Table, hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addBatchAVX2(t, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddHashesAheadAVX2 works like generic.AddHashes, with prefetching.
func AddHashesAheadAVX2(t generic.Table, hashes []uint64) {
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addAheadAVX2(t, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddHashesAVX2(t, hashes)
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
