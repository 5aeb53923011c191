//go:build (amd64 || arm64) && !purego && !race

package asm

import "github.com/linebloom/linebloom/generic"

// addAbsent works like generic.AddHashes on a shared table, for kernels that
// only test: the batch test finds the keys that are there already at its full
// speed, and brings the lines of the others into the cache.
func addAbsent(t generic.Table, hashes []uint64) {
	var answers [16]uint64
	for len(hashes) > 0 {
		batch := hashes[:min(len(hashes), 64*len(answers))]
		hashes = hashes[len(batch):]
		HasHashes(answers[:], t, batch)
		for i, h := range batch {
			if answers[i/64]>>(i%64)&1 == 0 {
				generic.Add(t, h)
			}
		}
	}
}
