package foreign

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/linebloom/linebloom/blocked"
)

// A container is a foreign filter with what its own file does not say, and with
// checksums. All numbers are little-endian.
//
//	8 bytes   the magic number
//	2         version, 1
//	2         number of probes, k
//	8         name of the format, filled up with zeros
//	16        name of the hash, filled up with zeros
//	8         number of bits, m
//	8         capacity
//	8         wanted rate, IEEE 754
//	8         count
//	4         number of seeds, 0 or k
//	4 each    seeds
//	4         CRC32C of the bits
//	4         CRC32C of all before
//	          the bits, (m+7)/8 bytes
const (
	containerMagic   = "\x89LBI\r\n\x1a\n"
	containerHeader  = 72 // bytes before the seeds
	containerVersion = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes the filter as a container, which Open reads.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	name := func(text string, size int) []byte { return append([]byte(text), make([]byte, size-len(text))...) }
	array := f.array[:arrayBytes(f.Bits, 1)]
	le := binary.LittleEndian
	head := []byte(containerMagic)
	head = le.AppendUint16(head, containerVersion)
	head = le.AppendUint16(head, uint16(f.K))
	head = append(head, name(f.Format, 8)...)
	head = append(head, name(f.Hash(), 16)...)
	head = le.AppendUint64(head, f.Bits)
	head = le.AppendUint64(head, f.Capacity)
	head = le.AppendUint64(head, math.Float64bits(f.FPRate))
	head = le.AppendUint64(head, f.Count)
	head = le.AppendUint32(head, uint32(len(f.seeds)))
	for _, seed := range f.seeds {
		head = le.AppendUint32(head, seed)
	}
	head = le.AppendUint32(head, crc32.Checksum(array, castagnoli))
	head = le.AppendUint32(head, crc32.Checksum(head, castagnoli))
	n, err := w.Write(head)
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(array)
	return int64(n + m), err
}

// readContainer reads what WriteTo writes.
func (s *source) readContainer() (*Filter, error) {
	head := make([]byte, containerHeader)
	if err := s.readFull(head, "header"); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if version := le.Uint16(head[8:]); version != containerVersion {
		return nil, fmt.Errorf("%w: version %d of the container of foreign filters", blocked.ErrUnsupported, version)
	}
	seeds := le.Uint32(head[68:])
	if seeds > MaxK {
		return nil, fmt.Errorf("%w: %d seeds", blocked.ErrCorrupt, seeds)
	}
	head = slices.Grow(head, int(4*seeds+8))[:containerHeader+4*seeds+8]
	if err := s.readFull(head[containerHeader:], "header"); err != nil {
		return nil, err
	}
	sums := head[len(head)-8:]
	if got, want := crc32.Checksum(head[:len(head)-4], castagnoli), le.Uint32(sums[4:]); got != want {
		return nil, fmt.Errorf("%w: checksum of the header is %08x, want %08x", blocked.ErrCorrupt, got, want)
	}
	f := &Filter{
		Format:   nameOf(head[12:20]),
		K:        int(le.Uint16(head[10:])),
		Bits:     le.Uint64(head[36:]),
		Capacity: le.Uint64(head[44:]),
		FPRate:   math.Float64frombits(le.Uint64(head[52:])),
		Count:    le.Uint64(head[60:]),
	}
	for at := containerHeader; at < len(head)-8; at += 4 {
		f.seeds = append(f.seeds, le.Uint32(head[at:]))
	}
	if err := f.checkContainer(nameOf(head[20:36])); err != nil {
		return nil, err
	}
	var err error
	if f.array, err = s.readArray(arrayBytes(f.Bits, 1)); err != nil {
		return nil, err
	}
	if got, want := crc32.Checksum(f.array, castagnoli), le.Uint32(sums); got != want {
		return nil, fmt.Errorf("%w: checksum of the bits is %08x, want %08x", blocked.ErrCorrupt, got, want)
	}
	if _, err := s.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%w: more bytes than the %d bits need", blocked.ErrCorrupt, f.Bits)
	}
	return f, nil
}

// checkContainer refuses what WriteTo never writes.
func (f *Filter) checkContainer(hash string) error {
	want := 0
	switch f.Format {
	case DCSO:
	case Pybloom:
		want = f.K
		if hash != "" {
			if err := f.SetHash(hash); err != nil {
				return fmt.Errorf("%w: hash %q", blocked.ErrUnsupported, hash)
			}
		}
	default:
		return fmt.Errorf("%w: foreign format %q", blocked.ErrUnsupported, f.Format)
	}
	if len(f.seeds) != want {
		return fmt.Errorf("%w: %d seeds for %d probes", blocked.ErrCorrupt, len(f.seeds), f.K)
	}
	return f.check()
}

// nameOf returns a name without the zeros behind it.
func nameOf(field []byte) string {
	for len(field) > 0 && field[len(field)-1] == 0 {
		field = field[:len(field)-1]
	}
	return string(field)
}
