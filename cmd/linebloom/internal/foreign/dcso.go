package foreign

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"

	"github.com/linebloom/linebloom/blocked"
)

const dcsoHeader = 48

// looksLikeDCSO reports whether a file begins with the version and no flags that
// are not known.
func looksLikeDCSO(head []byte) bool {
	return len(head) >= 8 && binary.LittleEndian.Uint64(head) == 1
}

// readDCSO reads a filter, and what the user put behind it.
func (s *source) readDCSO() (*Filter, error) {
	var head [dcsoHeader]byte
	if err := s.readFull(head[:], "header"); err != nil {
		return nil, err
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(head[at:]) }
	f := &Filter{
		Format:   DCSO,
		Capacity: number(8),
		FPRate:   math.Float64frombits(number(16)),
		K:        int(min(number(24), MaxK+1)),
		Bits:     number(32),
		Count:    number(40),
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	var err error
	if f.array, err = s.readArray(arrayBytes(f.Bits, 8)); err != nil {
		return nil, err
	}
	data, err := io.Copy(io.Discard, io.LimitReader(s, maxData+1))
	if err == nil && data > maxData {
		err = fmt.Errorf("%w: more than %d bytes behind the filter", blocked.ErrCorrupt, maxData)
	}
	f.Data = uint64(data)
	return f, damaged(err, "data behind the filter")
}

// maxData bounds what is read of the user's data, which nobody needs.
const maxData = 1 << 30

// The hash is that of DCSO's implementations: a sequence of numbers modulo the
// largest prime below 2^64.
const (
	dcsoPrime  = 1<<64 - 59
	dcsoFactor = 1<<64 - 1469
)

func (f *Filter) hasDCSO(key []byte) bool {
	sum := fnv.New64()
	sum.Write(key)
	h := sum.Sum64() % dcsoPrime
	for range f.K {
		h = h * dcsoFactor % dcsoPrime
		if !f.bit(h % f.Bits) {
			return false
		}
	}
	return true
}
