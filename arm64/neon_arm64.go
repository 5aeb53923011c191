//go:build !purego

package arm64

import "github.com/linebloom/linebloom/generic"

// hasNEON works like generic.Has.
//
//go:noescape
func hasNEON(t generic.Table, h uint64) bool

// hasBatchNEON works like generic.HasHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func hasBatchNEON(dst *uint64, t generic.Table, hashes *uint64, n int)

// hasAheadNEON does the same and prefetches the block of hashes[i+lookahead]
// while it tests hashes[i]. n is a multiple of 64 and n+lookahead hashes are
// there to be read.
//
//go:noescape
func hasAheadNEON(dst *uint64, t generic.Table, hashes *uint64, n int)

// addBatchNEON works like generic.AddHashes for n hashes, 0 < n <= maxKeys.
//
//go:noescape
func addBatchNEON(t generic.Table, hashes *uint64, n int)

// addAheadNEON does the same and prefetches the block of hashes[i+lookahead]
// while it adds hashes[i]. n+lookahead hashes are there to be read.
//
//go:noescape
func addAheadNEON(t generic.Table, hashes *uint64, n int)

// hashBatchNEON works like generic.HashUint64s for n keys, a multiple of 2 and
// at most maxKeys. flip is generic.HashFlip of the seed.
//
//go:noescape
func hashBatchNEON(dst *uint64, flip uint64, keys *uint64, n int)

// HasNEON works like generic.Has.
func HasNEON(t generic.Table, h uint64) bool {
	return hasNEON(t, h)
}

// HasEachNEON works like generic.HasEach. The lines of all tables are asked for
// before the first is tested.
func HasEachNEON(dst []uint64, tables []generic.Table, h uint64) {
	generic.CheckAnswers(dst, len(tables))
	for len(tables) > 0 {
		group := tables[:min(len(tables), 64)]
		for i := range group {
			prefetchLines(group[i], &h, 1)
		}
		var word uint64
		for i := range group {
			if hasNEON(group[i], h) {
				word |= 1 << i
			}
		}
		dst[0] = word
		dst, tables = dst[1:], tables[len(group):]
	}
}

// HasHashesNEON works like generic.HasHashes.
func HasHashesNEON(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		hasBatchNEON(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadNEON works like generic.HasHashes, with prefetching.
func HasHashesAheadNEON(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadNEON(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchBatch(t, hashes[min(len(hashes), lookahead):])
	HasHashesNEON(dst, t, hashes)
}

// AddHashesNEON works like generic.AddHashes.
func AddHashesNEON(t generic.Table, hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		addBatchNEON(t, &hashes[0], n)
		hashes = hashes[n:]
	}
}

// AddHashesAheadNEON works like generic.AddHashes, with prefetching.
func AddHashesAheadNEON(t generic.Table, hashes []uint64) {
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) > lookahead {
		n := min(len(hashes)-lookahead, maxKeys)
		addAheadNEON(t, &hashes[0], n)
		hashes = hashes[n:]
	}
	AddHashesNEON(t, hashes)
}

// HashUint64sNEON works like generic.HashUint64s.
func HashUint64sNEON(dst []uint64, seed uint64, keys []uint64) {
	generic.CheckHashes(dst, len(keys))
	flip := generic.HashFlip(seed)
	for len(keys) >= 2 {
		n := min(len(keys), maxKeys) &^ 1
		hashBatchNEON(&dst[0], flip, &keys[0], n)
		dst, keys = dst[n:], keys[n:]
	}
	generic.HashUint64s(dst, seed, keys)
}
