//go:build (amd64 || arm64) && !purego && !race

package asm

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
func worthAhead(data []byte, hashes []uint64) bool {
	return len(data) >= aheadBytes && len(hashes) >= aheadKeys
}
