package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The errors of this package wrap one of these.
var (
	// ErrCorrupt reports bytes that are damaged, cut short, or not a filter.
	ErrCorrupt = errors.New("corrupt filter")

	// ErrUnsupported reports a filter of a version, layout or hash that this
	// version of the library does not know.
	ErrUnsupported = errors.New("unsupported filter")

	// ErrUnclean reports a filter that was not closed by those who write to it:
	// its checksums are not right yet, or never will be.
	ErrUnclean = errors.New("filter was not closed")
)

// Magic begins every filter. Like that of PNG files it shows whether a transfer
// cleared the top bit, changed line ends, or ended the text at a control-Z.
const Magic = "\x89LBF\r\n\x1a\n"

const (
	// Version is the version of the format.
	Version = 1

	// HeaderBytes is the size of the header without metadata and padding.
	HeaderBytes = 128

	// FileAlign is what the offset of the blocks is a multiple of in files, so
	// that blocks begin on a page and can be mapped.
	FileAlign = 4096

	// MaxMetadata is the largest size of the user's metadata, in bytes.
	MaxMetadata = 1 << 16

	blockBytes = 64
	maxBlocks  = 1 << 32
	maxK       = 16
)

// Layout says what the bytes of the body mean.
type Layout uint8

// Layouts.
const (
	Blocked  Layout = 1 // 64-byte blocks as package generic specifies them
	Counting Layout = 2 // the same, and then as many 4-bit counters as there are bits
	Chain    Layout = 3 // the blocks of several filters, and then a record of each
)

// readers are the packages that read a layout.
var readers = map[Layout]string{Blocked: "blocked or filterfile", Counting: "counting", Chain: "scalable"}

// HashXXH3 is the number of XXH3-64 with a 64-bit seed, the only hash there is.
const HashXXH3 = 1

// CountState says what the count of keys is worth.
type CountState uint8

// States of the count.
const (
	Exact         CountState = 1 // every key was counted when it was added
	Estimate      CountState = 2 // from the number of bits that are set
	Indeterminate CountState = 3 // after a union or an intersection; the count is 0
)

// A Header is what a filter at rest says of itself.
type Header struct {
	Layout   Layout
	K        int
	Seed     uint64
	Blocks   uint64
	Capacity uint64  // 0: not known
	FPRate   float64 // that was asked for; 0: not known
	Links    int     // number of filters in a Chain; 0 in other layouts
	Offset   int     // of the blocks, in bytes
	Metadata []byte  // of the user

	Count      uint64
	CountState CountState
	InUse      bool // it is open for writing, or was when its writer died

	geometry uint32 // checksum of the first part
}

// CheckLayout returns an error that says what reads the filter instead, unless its
// layout is want.
func (h *Header) CheckLayout(want Layout) error {
	if h.Layout == want {
		return nil
	}
	return fmt.Errorf("linebloom: %w: layout %d, want %d: open it with package %s",
		ErrUnsupported, h.Layout, want, readers[h.Layout])
}

// Place sets the offset of the blocks to the first multiple of align, a multiple
// of 64, behind the metadata.
func (h *Header) Place(align int) {
	h.Offset = (HeaderBytes + len(h.Metadata) + align - 1) / align * align
}

// BodyBytes returns the size of what lies between header and checksums.
func (h *Header) BodyBytes() uint64 {
	switch h.Layout {
	case Counting:
		return h.Blocks * blockBytes * 5
	case Chain:
		return h.Blocks*blockBytes + uint64(h.Links)*LinkBytes
	}
	return h.Blocks * blockBytes
}

// Chunks returns the number of chunks of the body.
func (h *Header) Chunks() int {
	return int((h.BodyBytes() + ChunkBytes - 1) / ChunkBytes)
}

// FooterBytes returns the size of checksums and trailer.
func (h *Header) FooterBytes() int {
	return 4*h.Chunks() + TrailerBytes
}

// TotalBytes returns the size of the whole.
func (h *Header) TotalBytes() uint64 {
	return uint64(h.Offset) + h.BodyBytes() + uint64(h.FooterBytes())
}

// castagnoli is the polynomial of CRC32C, as in iSCSI (RFC 3720), for which CPUs
// have instructions.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC32C of b.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Where the fields are. The first part, up to atGeometrySum, never changes; the
// second, up to atStateSum, changes while a filter is open for writing, and its
// checksum is right only when atInUse is 0.
const (
	atVersion     = 8
	atLayout      = 10
	atHash        = 11
	atK           = 12
	atLinks       = 13 // 0 but for a Chain
	atReserved    = 14 // 2 bytes, 0
	atSeed        = 16
	atBlocks      = 24
	atCapacity    = 32
	atFPRate      = 40
	atOffset      = 48
	atMetadataLen = 52
	atMetadataSum = 56
	atGeometrySum = 60

	AtCount      = 64
	AtCountState = 72
	AtInUse      = 73
	atReserved2  = 74 // 50 bytes, 0 in a filter that is not in use
	atStateSum   = 124
)

// Append appends the header, its metadata and zeros up to the offset of the
// blocks to b.
func (h *Header) Append(b []byte) []byte {
	at := len(b)
	b = append(b, make([]byte, h.Offset)...)
	p := b[at:]
	le := binary.LittleEndian
	copy(p, Magic)
	le.PutUint16(p[atVersion:], Version)
	p[atLayout], p[atHash], p[atK], p[atLinks] = byte(h.Layout), HashXXH3, byte(h.K), byte(h.Links)
	le.PutUint64(p[atSeed:], h.Seed)
	le.PutUint64(p[atBlocks:], h.Blocks)
	le.PutUint64(p[atCapacity:], h.Capacity)
	le.PutUint64(p[atFPRate:], math.Float64bits(h.FPRate))
	le.PutUint32(p[atOffset:], uint32(h.Offset))
	le.PutUint32(p[atMetadataLen:], uint32(len(h.Metadata)))
	copy(p[HeaderBytes:], h.Metadata)
	le.PutUint32(p[atMetadataSum:], Checksum(p[HeaderBytes:]))
	h.geometry = Checksum(p[:atGeometrySum])
	le.PutUint32(p[atGeometrySum:], h.geometry)
	h.PutState(p)
	return b
}

// PutState writes the second part of the header at the start of p.
func (h *Header) PutState(p []byte) {
	le := binary.LittleEndian
	clear(p[AtCount:HeaderBytes])
	le.PutUint64(p[AtCount:], h.Count)
	p[AtCountState] = byte(h.CountState)
	if h.InUse {
		p[AtInUse] = 1
	}
	le.PutUint32(p[atStateSum:], Checksum(p[AtCount:atStateSum]))
}

// Parse reads the first HeaderBytes of a filter. The metadata is checked by
// ParseMetadata. In a filter that is in use the count is as it was found.
func Parse(p []byte) (Header, error) {
	le := binary.LittleEndian
	if len(p) < HeaderBytes {
		return Header{}, fmt.Errorf("linebloom: %w: %d bytes, a header has %d", ErrCorrupt, len(p), HeaderBytes)
	}
	if string(p[:len(Magic)]) != Magic {
		return Header{}, fmt.Errorf("linebloom: %w: begins with %q, a filter with %q", ErrCorrupt, p[:len(Magic)], Magic)
	}
	if v := le.Uint16(p[atVersion:]); v != Version {
		return Header{}, fmt.Errorf("linebloom: %w: version %d of the format, this library knows %d", ErrUnsupported, v, Version)
	}
	if want, got := le.Uint32(p[atGeometrySum:]), Checksum(p[:atGeometrySum]); got != want {
		return Header{}, fmt.Errorf("linebloom: %w: checksum of the header is %#08x, want %#08x", ErrCorrupt, got, want)
	}
	h := Header{
		Layout:     Layout(p[atLayout]),
		K:          int(p[atK]),
		Seed:       le.Uint64(p[atSeed:]),
		Blocks:     le.Uint64(p[atBlocks:]),
		Capacity:   le.Uint64(p[atCapacity:]),
		FPRate:     math.Float64frombits(le.Uint64(p[atFPRate:])),
		Links:      int(p[atLinks]),
		Offset:     int(int32(le.Uint32(p[atOffset:]))),
		Count:      le.Uint64(p[AtCount:]),
		CountState: CountState(p[AtCountState]),
		InUse:      p[AtInUse] != 0,
		geometry:   le.Uint32(p[atGeometrySum:]),
	}
	if err := h.check(p); err != nil {
		return Header{}, err
	}
	return h, nil
}

// check checks what a right checksum leaves open: numbers that no writer of this
// version makes.
func (h *Header) check(p []byte) error {
	le := binary.LittleEndian
	metadata := int(int32(le.Uint32(p[atMetadataLen:])))
	switch {
	case h.Layout < Blocked || h.Layout > Chain:
		return fmt.Errorf("linebloom: %w: layout %d, this library knows %d to %d", ErrUnsupported, h.Layout, Blocked, Chain)
	case p[atHash] != HashXXH3:
		return fmt.Errorf("linebloom: %w: hash %d, this library knows %d", ErrUnsupported, p[atHash], HashXXH3)
	case h.Layout != Chain && h.Links != 0 || !zero(p[atReserved:atSeed]):
		return fmt.Errorf("linebloom: %w: reserved bytes %d to %d are %x, want zeros",
			ErrUnsupported, atLinks, atSeed-1, p[atLinks:atSeed])
	case h.Layout == Chain && (h.Links < 1 || h.Links > MaxLinks):
		return fmt.Errorf("linebloom: %w: a chain of %d links, want 1 to %d", ErrCorrupt, h.Links, MaxLinks)
	case h.K < 1 || h.K > maxK:
		return fmt.Errorf("linebloom: %w: k is %d, want 1 to %d", ErrCorrupt, h.K, maxK)
	case h.Blocks < 1 || h.Blocks > maxBlocks:
		return fmt.Errorf("linebloom: %w: %d blocks, want 1 to 2^32", ErrCorrupt, h.Blocks)
	case !(h.FPRate >= 0 && h.FPRate < 1):
		return fmt.Errorf("linebloom: %w: target rate is %g, want 0 (not known) to 1", ErrCorrupt, h.FPRate)
	case metadata < 0 || metadata > MaxMetadata:
		return fmt.Errorf("linebloom: %w: %d bytes of metadata, want at most %d", ErrCorrupt, metadata, MaxMetadata)
	case h.Offset%blockBytes != 0 || h.Offset < HeaderBytes+metadata || h.Offset > HeaderBytes+metadata+FileAlign:
		return fmt.Errorf("linebloom: %w: blocks at offset %d behind %d bytes of metadata", ErrCorrupt, h.Offset, metadata)
	case h.InUse:
		// Its writer did not get to the rest.
	case Checksum(p[AtCount:atStateSum]) != le.Uint32(p[atStateSum:]):
		return fmt.Errorf("linebloom: %w: checksum of the state is %#08x, want %#08x",
			ErrCorrupt, Checksum(p[AtCount:atStateSum]), le.Uint32(p[atStateSum:]))
	case !zero(p[atReserved2:atStateSum]):
		return fmt.Errorf("linebloom: %w: reserved bytes %d to %d are %x, want zeros",
			ErrUnsupported, atReserved2, atStateSum-1, p[atReserved2:atStateSum])
	case h.CountState < Exact || h.CountState > Indeterminate:
		return fmt.Errorf("linebloom: %w: state of the count is %d, want %d to %d", ErrCorrupt, h.CountState, Exact, Indeterminate)
	}
	return nil
}

func zero(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

// ParseMetadata reads the metadata out of the first h.Offset bytes of a filter,
// of which Parse read the beginning. It copies it.
func (h *Header) ParseMetadata(p []byte) error {
	le := binary.LittleEndian
	rest := p[HeaderBytes:h.Offset]
	if want, got := le.Uint32(p[atMetadataSum:]), Checksum(rest); got != want {
		return fmt.Errorf("linebloom: %w: checksum of the metadata is %#08x, want %#08x", ErrCorrupt, got, want)
	}
	n := le.Uint32(p[atMetadataLen:])
	if !zero(rest[n:]) {
		return fmt.Errorf("linebloom: %w: the %d bytes between metadata and blocks are not zeros", ErrCorrupt, len(rest[n:]))
	}
	h.Metadata = append([]byte(nil), rest[:n]...)
	return nil
}
