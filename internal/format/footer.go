package format

import (
	"encoding/binary"
	"fmt"
)

const (
	// ChunkBytes is the size of the chunks of the body that have a checksum each.
	// The last one may be shorter.
	ChunkBytes = 1 << 16

	// TrailerBytes is the size of the trailer, which ends a filter.
	TrailerBytes = 16

	trailerMagic = "LBF-END\n"
)

// AppendFooter appends the checksums of the chunks and the trailer to b. Append
// or Parse was called before.
func (h *Header) AppendFooter(b []byte, sums []uint32) []byte {
	le := binary.LittleEndian
	at := len(b)
	for _, s := range sums {
		b = le.AppendUint32(b, s)
	}
	b = le.AppendUint32(b, Checksum(b[at:]))
	b = le.AppendUint32(b, h.geometry)
	return append(b, trailerMagic...)
}

// ParseFooter returns the checksums of the chunks. p is what follows the body.
func (h *Header) ParseFooter(p []byte) ([]uint32, error) {
	le := binary.LittleEndian
	if len(p) != h.FooterBytes() {
		return nil, fmt.Errorf("linebloom: %w: %d bytes behind the blocks, want %d", ErrCorrupt, len(p), h.FooterBytes())
	}
	list, trailer := p[:4*h.Chunks()], p[4*h.Chunks():]
	if end := trailer[8:]; string(end) != trailerMagic {
		return nil, fmt.Errorf("linebloom: %w: ends with %q, want %q", ErrCorrupt, end, trailerMagic)
	}
	if want, got := le.Uint32(trailer), Checksum(list); got != want {
		return nil, fmt.Errorf("linebloom: %w: checksum of the checksums is %#08x, want %#08x", ErrCorrupt, got, want)
	}
	if got := le.Uint32(trailer[4:]); got != h.geometry {
		return nil, fmt.Errorf("linebloom: %w: the footer is that of another filter: %#08x, want %#08x", ErrCorrupt, got, h.geometry)
	}
	sums := make([]uint32, h.Chunks())
	for i := range sums {
		sums[i] = le.Uint32(list[4*i:])
	}
	return sums, nil
}

// Chunk returns where chunk i begins and ends in the body, in bytes.
func (h *Header) Chunk(i int) (from, to uint64) {
	from = uint64(i) * ChunkBytes
	return from, min(from+ChunkBytes, h.BodyBytes())
}

// CheckChunk compares chunk i with its checksum.
func (h *Header) CheckChunk(i int, chunk []byte, sum uint32) error {
	if got := Checksum(chunk); got != sum {
		from, to := h.Chunk(i)
		if h.Layout != Blocked {
			return fmt.Errorf("linebloom: %w: bytes %d to %d behind the header are damaged: checksum %#08x, want %#08x",
				ErrCorrupt, from, to-1, got, sum)
		}
		return fmt.Errorf("linebloom: %w: blocks %d to %d are damaged: checksum %#08x, want %#08x",
			ErrCorrupt, from/blockBytes, (to-1)/blockBytes, got, sum)
	}
	return nil
}

// CheckSize compares the real size with the one that the header implies.
func (h *Header) CheckSize(size uint64) error {
	if want := h.TotalBytes(); size != want {
		return fmt.Errorf("linebloom: %w: %d bytes, a filter of %d blocks has %d", ErrCorrupt, size, h.Blocks, want)
	}
	return nil
}
