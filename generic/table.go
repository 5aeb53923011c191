package generic

import "fmt"

// A Table is a run of blocks and the number of probes of its keys. NewTable
// checks both once, so that kernels can trust them in every call. The zero
// Table is not usable.
type Table struct {
	data []byte
	k    int
}

// NewTable returns the table of the blocks in data, which it does not copy. It
// panics unless data is a whole number of blocks, at least one and at most
// MaxBlocks, and k is 1 to MaxK.
func NewTable(data []byte, k int) Table {
	checkSize(uint64(len(data)), k)
	return Table{data, k}
}

func checkSize(bytes uint64, k int) {
	if k < 1 || k > MaxK {
		panic(fmt.Sprintf("linebloom: k is %d, want 1 to %d", k, MaxK))
	}
	if bytes == 0 || bytes%BlockBytes != 0 || bytes/BlockBytes > MaxBlocks {
		panic(fmt.Sprintf("linebloom: filter of %d bytes, want a multiple of %d from %d to %d",
			bytes, BlockBytes, BlockBytes, uint64(MaxBlocks*BlockBytes)))
	}
}

// Data returns the blocks.
func (t Table) Data() []byte { return t.data }

// Blocks returns the number of blocks.
func (t Table) Blocks() uint64 { return uint64(len(t.data)) / BlockBytes }

// K returns the number of probes per key.
func (t Table) K() int { return t.k }

// block returns the block of hash h.
func (t Table) block(h uint64) *[BlockBytes]byte {
	return (*[BlockBytes]byte)(t.data[Offset(t.Blocks(), h):])
}
