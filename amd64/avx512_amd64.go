//go:build !purego

package amd64

import "github.com/linebloom/linebloom/generic"

// hasAVX512 works like generic.Has.
//
//go:noescape
func hasAVX512(t generic.Table, h uint64) bool

// hasEachAVX512 works like generic.HasEach for n tables, 0 < n <= 64.
//
//go:noescape
func hasEachAVX512(dst *uint64, tables *generic.Table, n int, h uint64)

// hasBatchAVX512 works like generic.HasHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func hasBatchAVX512(dst *uint64, t generic.Table, hashes *uint64, n int)

// hasAheadAVX512 does the same and prefetches the block of hashes[i+lookahead]
// while it tests hashes[i]. n is a multiple of 64 and n+lookahead hashes are
// there to be read.
//
//go:noescape
func hasAheadAVX512(dst *uint64, t generic.Table, hashes *uint64, n int)

// addBatchAVX512 works like generic.AddHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func addBatchAVX512(t generic.Table, hashes *uint64, n int)

// addAheadAVX512 does the same and prefetches the block of hashes[i+lookahead]
// while it adds hashes[i]. n+lookahead hashes are there to be read.
//
//go:noescape
func addAheadAVX512(t generic.Table, hashes *uint64, n int)

// addSharedBatchAVX512 works like generic.AddHashes on a shared table, for n
// hashes, 0 < n <= maxKeys.
//
//go:noescape
func addSharedBatchAVX512(t generic.Table, hashes *uint64, n int)

// addSharedAheadAVX512 does the same and prefetches the block of
// hashes[i+lookahead] while it adds hashes[i]. n+lookahead hashes are there to
// be read.
//
//go:noescape
func addSharedAheadAVX512(t generic.Table, hashes *uint64, n int)

// hashBatchAVX512 works like generic.HashUint64s for n keys, a multiple of 8 and
// at most maxKeys. flip is generic.HashFlip of the seed.
//
//go:noescape
func hashBatchAVX512(dst *uint64, flip uint64, keys *uint64, n int)

// HasAVX512 works like generic.Has.
func HasAVX512(t generic.Table, h uint64) bool {
	return hasAVX512(t, h)
}

// HasEachAVX512 works like generic.HasEach.
func HasEachAVX512(dst []uint64, tables []generic.Table, h uint64) {
	generic.CheckAnswers(dst, len(tables))
	for len(tables) > 0 {
		n := min(len(tables), 64)
		hasEachAVX512(&dst[0], &tables[0], n, h)
		dst, tables = dst[1:], tables[n:]
	}
}

// HasHashesAVX512 works like generic.HasHashes.
func HasHashesAVX512(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		hasBatchAVX512(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadAVX512 works like generic.HasHashes, with prefetching.
func HasHashesAheadAVX512(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadAVX512(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchBatch(t, hashes[min(len(hashes), lookahead):])
	HasHashesAVX512(dst, t, hashes)
}

// AddHashesAVX512 works like generic.AddHashes.
func AddHashesAVX512(t generic.Table, hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addBatchAVX512(t, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddHashesAheadAVX512 works like generic.AddHashes, with prefetching.
func AddHashesAheadAVX512(t generic.Table, hashes []uint64) {
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addAheadAVX512(t, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddHashesAVX512(t, hashes)
}

// AddSharedAVX512 works like generic.AddHashes on a shared table.
func AddSharedAVX512(t generic.Table, hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addSharedBatchAVX512(t, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddSharedAheadAVX512 works like generic.AddHashes on a shared table, with
// prefetching.
func AddSharedAheadAVX512(t generic.Table, hashes []uint64) {
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addSharedAheadAVX512(t, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddSharedAVX512(t, hashes)
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
