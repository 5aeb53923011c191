//go:build !purego

package amd64

import (
	"math"

	"github.com/linebloom/linebloom/generic"
)

// spare[k] is, for keys at even and at odd places of a group, by the start of
// the window, the bits of a mask that hold no probe. A mask has a bit for each
// byte of a block's eight lanes; the probe of lane j is in bit 8j, and that of
// its partner in the other half of the vector, the odd key or the second round,
// in bit 8j+4.
//
//lint:ignore U1000 the kernels use it
var spare = func() (sp [generic.MaxK + 1][2][generic.Lanes]uint64) {
	for k := 1; k < len(sp); k++ {
		for s := range generic.Lanes {
			for i := range k {
				lane := (s + i) % generic.Lanes
				probe := uint64(1) << (8 * lane)
				switch {
				case k <= generic.Lanes:
					sp[k][0][s] |= probe
					sp[k][1][s] |= probe << 4
				default:
					probe <<= 4 * (i / generic.Lanes)
					sp[k][0][s] |= probe
					sp[k][1][s] |= probe
				}
			}
			sp[k][0][s] = ^sp[k][0][s]
			sp[k][1][s] = ^sp[k][1][s]
		}
	}
	return sp
}()

// hasBatchBITALG works like generic.HasHashes for n hashes, a multiple of 8 and
// at most maxKeys, of a table of fewer than 2^32 blocks. It writes n/8 bytes.
//
//go:noescape
func hasBatchBITALG(dst *uint64, t generic.Table, hashes *uint64, n int)

// hasAheadBITALG does the same and prefetches the blocks of the hashes that are
// lookahead further. n+lookahead hashes are there to be read.
//
//go:noescape
func hasAheadBITALG(dst *uint64, t generic.Table, hashes *uint64, n int)

// HasHashesBITALG works like generic.HasHashes.
func HasHashesBITALG(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	if t.Blocks() > math.MaxUint32 { // the vector multiplication takes 32 bits
		HasHashesAVX512(dst, t, hashes)
		return
	}
	for len(hashes) > 0 {
		n := min(len(hashes), maxKeys)
		rest := n % 64
		if rest != 0 {
			dst[n/64] = 0
		}
		if whole := n &^ 7; whole > 0 {
			hasBatchBITALG(&dst[0], t, &hashes[0], whole)
		}
		if few := rest % 8; few > 0 {
			var answers uint64
			hasBatchAVX512(&answers, t, &hashes[n-few], few)
			dst[n/64] |= answers << (rest - few)
		}
		dst, hashes = dst[generic.Words(n):], hashes[n:]
	}
}

// HasHashesAheadBITALG works like generic.HasHashes, with prefetching.
func HasHashesAheadBITALG(dst []uint64, t generic.Table, hashes []uint64) {
	generic.CheckAnswers(dst, len(hashes))
	if t.Blocks() > math.MaxUint32 {
		HasHashesAheadAVX512(dst, t, hashes)
		return
	}
	prefetchBatch(t, hashes[:min(len(hashes), lookahead)])
	for len(hashes) >= lookahead+64 {
		n := min(len(hashes)-lookahead, maxKeys) &^ 63
		hasAheadBITALG(&dst[0], t, &hashes[0], n)
		dst, hashes = dst[n/64:], hashes[n:]
	}
	prefetchBatch(t, hashes[min(len(hashes), lookahead):])
	HasHashesBITALG(dst, t, hashes)
}
