package scalable

import (
	"math/bits"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
)

// hasHashes is Filter.HasHashes of up to keys.Many keys. Batches go through the
// chain link by link, since a kernel is at its best with many keys and one filter.
func (c *chain) hasHashes(dst []uint64, hashes []uint64) int {
	if len(c.views) == 1 {
		return c.views[0].HasHashes(dst, hashes)
	}
	if len(hashes) <= keys.Few {
		return c.hasFew(dst, hashes)
	}
	return c.hasMany(dst, hashes)
}

// hasFew tests up to 64 keys, all of them in all links unless all are found.
func (c *chain) hasFew(dst []uint64, hashes []uint64) int {
	if len(hashes) == 0 {
		return 0
	}
	var found uint64
	for _, v := range c.views {
		var answer [1]uint64
		v.HasHashes(answer[:], hashes)
		found |= answer[0]
		if bits.OnesCount64(found) == len(hashes) {
			break
		}
	}
	dst[0] = found
	return bits.OnesCount64(found)
}

// worthLeavingOut is the part of the keys, one in so many, that a link must have
// found for the others to be moved together before the next link: testing a key
// takes as long as moving a few.
const worthLeavingOut = 8

// hasMany tests the newest link first, which is the largest and has most of the
// keys, and leaves out the keys that were found when they are many.
func (c *chain) hasMany(dst []uint64, hashes []uint64) int {
	var answers [keys.Many / 64]uint64
	var rest [keys.Many]uint64   // the keys that are left,
	var places [keys.Many]uint16 // and where they are in hashes
	words := dst[:generic.Words(len(hashes))]
	clear(words)
	left, moved := hashes, []uint16(nil) // nil: all are where they were
	for _, v := range c.views {
		found := v.HasHashes(answers[:], left)
		switch {
		case found == 0:
			continue
		case moved == nil:
			for w := range words {
				words[w] |= answers[w]
			}
		default:
			for w, word := range answers[:generic.Words(len(left))] {
				for ; word != 0; word &= word - 1 {
					at := moved[64*w+bits.TrailingZeros64(word)]
					words[at/64] |= 1 << (at % 64)
				}
			}
		}
		if found*worthLeavingOut >= len(left) {
			known := answers[:]
			if moved == nil {
				known = words // of this link and others
			}
			n := keepMissed(rest[:], places[:], left, moved, known)
			left, moved = rest[:n], places[:n]
		}
	}
	hits := 0
	for _, word := range words {
		hits += bits.OnesCount64(word)
	}
	return hits
}

// keepMissed copies the hashes whose bit in found is 0 to rest, and where they were
// to places. rest and hashes, and places and from, may be the same memory. from is
// nil if the hashes are where they were, and places if nobody asks. It returns how
// many they are.
func keepMissed(rest []uint64, places []uint16, hashes []uint64, from []uint16, found []uint64) int {
	n := 0
	for w := range generic.Words(len(hashes)) {
		missed := ^found[w]
		if tail := len(hashes) - 64*w; tail < 64 {
			missed &= 1<<tail - 1
		}
		for ; missed != 0; missed &= missed - 1 {
			i := 64*w + bits.TrailingZeros64(missed)
			rest[n] = hashes[i]
			switch {
			case from != nil:
				places[n] = from[i]
			case places != nil:
				places[n] = uint16(i)
			}
			n++
		}
	}
	return n
}
