package generic

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// A Table is a filter in memory: a run of blocks, the number of probes of its
// keys and the seed of their hashes. NewTable and NewShared check them once, so
// that kernels can trust them in every call. A Table is a small value; it keeps
// its memory alive. The zero Table is not usable.
//
// A shared table is one that several goroutines, or processes, read and set
// bits in at once: the functions of this package then use atomic operations on
// the 64-bit words of its blocks.
//
// The fields are four words because the compiler keeps structs of up to four in
// registers: a call with one that is larger copies it, which costs more than a
// look-up.
type Table struct {
	base   *byte // the first of blocks*BlockBytes bytes
	blocks uint64
	probes probes
	seed   uint64
}

type probes struct {
	k      uint32
	shared bool
}

// Where kernels that go through many tables find the fields of each.
const (
	TableBytes  = int(unsafe.Sizeof(Table{}))
	TableBase   = int(unsafe.Offsetof(Table{}.base))
	TableBlocks = int(unsafe.Offsetof(Table{}.blocks))
	TableK      = int(unsafe.Offsetof(Table{}.probes) + unsafe.Offsetof(probes{}.k))
)

// NewTable returns the table of the blocks in data, which it does not copy. It
// panics unless data is a whole number of blocks, at least one and at most
// MaxBlocks, and k is 1 to MaxK.
func NewTable(data []byte, k int) Table {
	return newTable(unsafe.SliceData(data), uint64(len(data)), k, false)
}

// NewShared returns the shared table of the blocks in words, which it does not
// copy. words are in the CPU's own byte order and begin at a multiple of 8 bytes
// (of 64 where a block must be one cache line). It panics as NewTable does.
func NewShared(words []uint64, k int) Table {
	return newTable((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*uint64(len(words)), k, true)
}

func newTable(base *byte, bytes uint64, k int, shared bool) Table {
	if uint(k)-1 >= MaxK || bytes%BlockBytes != 0 || bytes-1 >= MaxBlocks*BlockBytes { // 0-1 is large
		badTable(bytes, k)
	}
	return Table{base: base, blocks: bytes / BlockBytes, probes: probes{uint32(k), shared}}
}

// badTable is not part of newTable so that the compiler can inline that.
func badTable(bytes uint64, k int) {
	if k < 1 || k > MaxK {
		panic(fmt.Sprintf("linebloom: k is %d, want 1 to %d", k, MaxK))
	}
	panic(fmt.Sprintf("linebloom: filter of %d bytes, want a multiple of %d from %d to %d",
		bytes, BlockBytes, BlockBytes, uint64(MaxBlocks*BlockBytes)))
}

// WithSeed returns the table with the seed of its hashes, which is 0 otherwise.
// The functions of this package take hashes and do not use it.
func (t Table) WithSeed(seed uint64) Table {
	t.seed = seed
	return t
}

// Data returns the blocks, not a copy.
func (t Table) Data() []byte {
	// newTable took base and the number of bytes from one slice.
	return unsafe.Slice(t.base, t.blocks*BlockBytes)
}

// Blocks returns the number of blocks.
func (t Table) Blocks() uint64 { return t.blocks }

// K returns the number of probes per key.
func (t Table) K() int { return int(t.probes.k) }

// Seed returns the seed of the hashes.
func (t Table) Seed() uint64 { return t.seed }

// Shared reports whether the table was made by NewShared.
func (t Table) Shared() bool { return t.probes.shared }

// Words returns the number of 64-bit words.
func (t Table) Words() int { return int(t.blocks) * blockWords }

// Word returns 64-bit word i, little-endian on every CPU.
func (t Table) Word(i int) uint64 {
	if t.Shared() {
		return little(atomic.LoadUint64(&t.words()[i]))
	}
	return binary.LittleEndian.Uint64(t.Data()[8*i:])
}

// SetWord sets 64-bit word i, little-endian on every CPU; in a shared table it
// does so at once.
func (t Table) SetWord(i int, x uint64) {
	if t.Shared() {
		atomic.StoreUint64(&t.words()[i], little(x))
		return
	}
	binary.LittleEndian.PutUint64(t.Data()[8*i:], x)
}

// Part returns the table of n of the blocks, from block first on.
func (t Table) Part(first, n uint64) Table {
	data := t.Data()[first*BlockBytes:][:n*BlockBytes]
	return newTable(unsafe.SliceData(data), uint64(len(data)), t.K(), t.Shared()).WithSeed(t.seed)
}

// block returns the block of hash h.
func (t Table) block(h uint64) *[BlockBytes]byte {
	return (*[BlockBytes]byte)(t.Data()[Offset(t.blocks, h):])
}
