//go:build !purego

package amd64

import "github.com/linebloom/linebloom/generic"

const (
	// maxKeys bounds the keys of one assembly call, because assembly cannot be
	// preempted: 1024 keys take a few microseconds. It is a multiple of 64, so
	// that the answers of a call fill whole words.
	maxKeys = 1024

	// lookahead is how many keys ahead of the one it works on a kernel
	// prefetches.
	lookahead = 96
)

// The layout of a generic.Table.
const (
	//lint:ignore U1000 the kernels use it
	tableBytes = generic.TableBytes
	//lint:ignore U1000 the kernels use it
	tableBase = generic.TableBase
	//lint:ignore U1000 the kernels use it
	tableBlocks = generic.TableBlocks
	//lint:ignore U1000 the kernels use it
	tableK = generic.TableK
)

// The tables of package generic, where the kernels find them.
var (
	//lint:ignore U1000 the kernels use it
	salts = generic.Salts
	//lint:ignore U1000 the kernels use it
	windows = generic.Windows
)

// unused[m][s] has a bit for each of sixteen lanes, two rounds, that has no
// probe when the second round's window has m lanes and starts at lane s.
//
//lint:ignore U1000 the kernels use it
var unused = func() (u [generic.Lanes + 1][generic.Lanes]uint16) {
	for m := range u {
		for s := range u[m] {
			for lane, one := range windows[m][s] {
				u[m][s] |= uint16(1-one) << (generic.Lanes + lane)
			}
		}
	}
	return u
}()

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
