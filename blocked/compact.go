package blocked

import (
	"encoding/binary"
	"fmt"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// The compact form is for filters that something else keeps and checks, such as
// a block of an SSTable: the blocks and a trailer of 16 bytes behind them.
// docs/FORMAT.md describes it for other languages.
//
//	offset  size
//	0       8     seed
//	8       4     CRC32C of the blocks
//	12      1     k
//	13      1     version, 1
//	14      2     check of this trailer and of the number of blocks
const (
	// CompactTrailer is the number of bytes of a compact filter beside its blocks.
	CompactTrailer = 16

	compactVersion = 1
)

// AppendCompact is Finish, and appends the compact form of the filter to dst
// instead of making a Filter of its own. On an error, which wraps ErrTooLarge,
// dst is unchanged and the builder keeps its keys. Nothing is allocated if dst
// has room, see CompactBytes.
func (b *Builder) AppendCompact(dst []byte) ([]byte, error) {
	p, err := b.params()
	if err != nil {
		return dst, err
	}
	at := len(dst)
	size := int(p.Bytes()) + CompactTrailer
	dst = grow(dst, size)
	blocks := dst[at:][:p.Bytes()]
	clear(blocks)
	asm.AddHashes(generic.NewTable(blocks, p.K), b.hashes)
	putTrailer(dst[at+len(blocks):], p, format.Checksum(blocks))
	b.Reset()
	return dst, nil
}

// CompactBytes returns the size of what AppendCompact will append, or 0 if it
// will fail.
func (b *Builder) CompactBytes() uint64 {
	p, err := b.params()
	if err != nil {
		return 0
	}
	return p.Bytes() + CompactTrailer
}

// grow returns b with n more bytes, whatever is in them.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	return append(b, make([]byte, n)...)
}

// AppendCompact appends the compact form of the filter to dst.
func (v View) AppendCompact(dst []byte) []byte {
	p := v.Params()
	at := len(dst)
	dst = grow(dst, int(p.Bytes())+CompactTrailer)
	blocks := dst[at:][:p.Bytes()]
	v.Snapshot(blocks, 0)
	putTrailer(dst[at+len(blocks):], p, format.Checksum(blocks))
	return dst
}

func putTrailer(t []byte, p Params, sum uint32) {
	le := binary.LittleEndian
	le.PutUint64(t, p.Seed)
	le.PutUint32(t[8:], sum)
	t[12], t[13] = byte(p.K), compactVersion
	le.PutUint16(t[14:], compactCheck(t, p.Blocks))
}

// compactCheck mixes all that is not blocks into 16 bits: cheap enough for every
// look-up, and enough to tell a filter from other bytes.
func compactCheck(t []byte, blocks uint64) uint16 {
	le := binary.LittleEndian
	x := le.Uint64(t) + blocks*0x9E3779B97F4A7C15
	x ^= le.Uint64(t[8:]) << 16 // without the check itself
	return uint16(x * 0xD6E8FEB86659FD93 >> 48)
}

// CompactView returns a view of a compact filter, which it does not copy. It
// takes a few nanoseconds and may be done for every look-up: it checks the length
// and the trailer, and believes the blocks. Bytes that are not a compact filter
// give ErrCorrupt, and a reader should then answer maybe. CheckCompact checks the
// blocks as well, once, when they come from where nobody else checks them.
func CompactView(data []byte) (View, error) {
	n := len(data) - CompactTrailer
	if n < generic.BlockBytes || n%generic.BlockBytes != 0 {
		return View{}, compactError(data)
	}
	t := data[n:]
	k, blocks := int(t[12]), uint64(n)/generic.BlockBytes
	if t[13] != compactVersion || k < 1 || k > generic.MaxK || blocks > generic.MaxBlocks ||
		binary.LittleEndian.Uint16(t[14:]) != compactCheck(t, blocks) {
		return View{}, compactError(data)
	}
	table := generic.NewTable(data[:n], k)
	if seed := binary.LittleEndian.Uint64(t); seed != 0 {
		return View{reader{table.WithSeed(seed)}}, nil
	}
	// A seed that is a constant does not wait for the trailer to come from memory:
	// the CPU predicts that all is well, hashes the key, and asks for its block at
	// the same time.
	return View{reader{table}}, nil
}

// compactError says why data is not a compact filter.
func compactError(data []byte) error {
	n := len(data) - CompactTrailer
	if n < generic.BlockBytes || n%generic.BlockBytes != 0 {
		return fmt.Errorf("linebloom: %w: %d bytes, a compact filter has a multiple of %d and %d",
			ErrCorrupt, len(data), generic.BlockBytes, CompactTrailer)
	}
	return fmt.Errorf("linebloom: %w: not the trailer of a compact filter of version %d: %x",
		ErrCorrupt, compactVersion, data[n:])
}

// CheckCompact checks all bytes of a compact filter: the error is that of
// CompactView, or wraps ErrCorrupt if the blocks do not have their checksum.
func CheckCompact(data []byte) error {
	v, err := CompactView(data)
	if err != nil {
		return err
	}
	want := binary.LittleEndian.Uint32(data[len(data)-8:])
	if got := format.Checksum(v.Blocks()); got != want {
		return fmt.Errorf("linebloom: %w: checksum of the blocks is %#08x, want %#08x", ErrCorrupt, got, want)
	}
	return nil
}
