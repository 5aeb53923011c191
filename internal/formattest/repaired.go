// Package formattest makes damaged filters for tests.
package formattest

import (
	"encoding/binary"
	"slices"

	"github.com/linebloom/linebloom/internal/format"
)

// Repaired returns p with right checksums, as far as its header says where they
// are.
func Repaired(p []byte) []byte {
	if len(p) < format.HeaderBytes {
		return p
	}
	p = slices.Clone(p)
	le := binary.LittleEndian
	size := uint64(len(p))
	offset := uint64(le.Uint32(p[48:]))
	if offset >= format.HeaderBytes && offset <= size {
		le.PutUint32(p[56:], format.Checksum(p[format.HeaderBytes:offset]))
	}
	geometry := format.Checksum(p[:60])
	le.PutUint32(p[60:], geometry)
	le.PutUint32(p[124:], format.Checksum(p[64:124]))

	h, err := format.Parse(p)
	if err != nil || h.CheckSize(size) != nil {
		return p
	}
	sums := p[offset+h.BodyBytes():]
	for i := range h.Chunks() {
		from, to := h.Chunk(i)
		le.PutUint32(sums[4*i:], format.Checksum(p[offset+from:offset+to]))
	}
	list := 4 * h.Chunks()
	le.PutUint32(sums[list:], format.Checksum(sums[:list]))
	le.PutUint32(sums[list+4:], geometry)
	return p
}
