package foreign

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/linebloom/linebloom/blocked"
)

const (
	pybloomMagic = "MBITARRAY"
	pybloomStart = len(pybloomMagic) + 8 + 4 // before the header
	pybloomAlign = 256                       // of the bits
)

// A layout is where a structure of C has its members, which depends on the release
// and on the CPU that wrote it.
type layout struct {
	size                     int
	capacity, rate, k, seeds int
}

// layouts are those of the structure in three releases: with a pointer to the
// array behind the seeds; with a count behind it; with a count before it too. Each
// of them on CPUs of 64 bits, on 386, and on 32-bit CPUs that align numbers of 64
// bits.
var layouts = []layout{
	{1056, 0, 8, 16, 20}, {1048, 0, 8, 16, 20},
	{1200, 0, 8, 16, 20}, {1188, 0, 8, 16, 20}, {1192, 0, 8, 16, 20},
	{1216, 16, 24, 32, 36}, {1196, 8, 16, 24, 28}, {1200, 8, 16, 24, 28},
}

// readPybloom reads a filter, behind which there must be nothing.
func (s *source) readPybloom() (*Filter, error) {
	var start [pybloomStart]byte
	if err := s.readFull(start[:], "header"); err != nil {
		return nil, err
	}
	bits := binary.LittleEndian.Uint64(start[len(pybloomMagic):])
	size := int(int32(binary.LittleEndian.Uint32(start[len(pybloomMagic)+8:])))
	f, err := s.readStructure(bits, size)
	if err != nil {
		return nil, err
	}
	padding := (pybloomAlign - (pybloomStart+size)%pybloomAlign) % pybloomAlign
	if err := s.readFull(make([]byte, padding), "header"); err != nil {
		return nil, err
	}
	if f.array, err = s.readArray(arrayBytes(f.Bits, 1)); err != nil {
		return nil, err
	}
	if _, err := s.ReadByte(); err != io.EOF {
		if err == nil {
			err = fmt.Errorf("%w: more bytes than the %d bits need", blocked.ErrCorrupt, f.Bits)
		}
		return nil, damaged(err, "end")
	}
	return f, nil
}

// readStructure reads the header, in the first layout of its size that makes
// sense.
func (s *source) readStructure(bits uint64, size int) (*Filter, error) {
	known := false
	for _, l := range layouts {
		known = known || l.size == size
	}
	if !known {
		return nil, fmt.Errorf("%w: an MBITARRAY header of %d bytes, which no known release of pybloomfiltermmap writes",
			blocked.ErrUnsupported, size)
	}
	header := make([]byte, size)
	if err := s.readFull(header, "header"); err != nil {
		return nil, err
	}
	var first error
	for _, l := range layouts {
		if l.size != size {
			continue
		}
		f := &Filter{
			Format:   Pybloom,
			Bits:     bits,
			Capacity: binary.LittleEndian.Uint64(header[l.capacity:]),
			FPRate:   math.Float64frombits(binary.LittleEndian.Uint64(header[l.rate:])),
			K:        int(min(binary.LittleEndian.Uint32(header[l.k:]), MaxK+1)),
		}
		err := f.check()
		if err == nil {
			for i := range f.K {
				f.seeds = append(f.seeds, binary.LittleEndian.Uint32(header[l.seeds+4*i:]))
			}
			return f, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
