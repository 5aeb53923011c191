//go:build !purego

package arm64

import "github.com/linebloom/linebloom/generic"

const (
	// maxKeys bounds the keys of one assembly call, because assembly cannot be
	// preempted: 1024 keys take a few microseconds. It is a multiple of 64, so
	// that the answers of a call fill whole words.
	maxKeys = 1024

	// lookahead is how many keys ahead of the one it works on a kernel
	// prefetches: the number that served best on x86-64.
	lookahead = 96
)

// The tables of package generic, where the kernels find them.
var (
	//lint:ignore U1000 the kernels use it
	salts = generic.Salts
	//lint:ignore U1000 the kernels use it
	windows = generic.Windows
)

// prefetchLines asks for the lines of the blocks of n hashes.
//
//go:noescape
func prefetchLines(t generic.Table, hashes *uint64, n int)

// prefetchBatch asks for the lines of the blocks of the hashes.
func prefetchBatch(t generic.Table, hashes []uint64) {
	if len(hashes) > 0 {
		prefetchLines(t, &hashes[0], len(hashes))
	}
}
