//go:build (amd64 || arm64) && !purego && !race

package asm

import "github.com/linebloom/linebloom/generic"

const (
	// aheadBytes is the size of a filter from which batches prefetch. Below it
	// the lines are in the second-level cache, and prefetching only adds
	// instructions.
	aheadBytes = 2 << 20

	// aheadKeys is the length of a batch from which it does. The lines of fewer
	// keys are asked for by the CPU itself, which runs ahead that far.
	aheadKeys = 16
)

// worthAhead tells whether a batch is tested or added with prefetching.
func worthAhead(t generic.Table, hashes []uint64) bool {
	return t.Blocks() >= aheadBytes/generic.BlockBytes && len(hashes) >= aheadKeys
}
