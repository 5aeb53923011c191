package blocked

import (
	"io"

	"github.com/linebloom/linebloom/internal/format"
)

// A Header is what a filter at rest, a file or encoded bytes, says of itself.
type Header struct {
	Params
	Capacity   uint64  // number of keys that it was made for; 0: not known
	FPRate     float64 // false positive rate that was asked for; 0: not known
	Count      uint64  // number of keys, worth what CountState says
	CountState CountState
	Metadata   []byte // of whoever saved it
	Size       uint64 // of the whole, in bytes
	InUse      bool   // it is open for writing, or was when its writer died
	Counting   bool   // it has counters, and package counting reads it
	Links      int    // of a chain, which package scalable reads: Blocks are those of all its links, K is that of the first
}

// A CountState says what a count of keys is worth.
type CountState uint8

// States of a count.
const (
	Exact         = CountState(format.Exact)         // each key was counted when it was added, or removed
	Estimate      = CountState(format.Estimate)      // EstimateCount, rounded
	Indeterminate = CountState(format.Indeterminate) // after a union or an intersection
)

// String returns the state in a word.
func (s CountState) String() string {
	switch s {
	case Exact:
		return "exact"
	case Estimate:
		return "estimate"
	}
	return "indeterminate"
}

// Peek reads the header of a filter at rest from r, and nothing behind it, and
// checks it. Its errors wrap ErrCorrupt or ErrUnsupported, or are those of r. A
// counting filter is a blocked filter with counters, and its header can be read
// too.
func Peek(r io.Reader) (Header, error) {
	h, err := format.ReadHeader(r)
	if err != nil {
		return Header{}, err
	}
	return headerOf(h), nil
}

func headerOf(h format.Header) Header {
	return Header{
		Params:     Params{Blocks: h.Blocks, K: h.K, Seed: h.Seed},
		Capacity:   h.Capacity,
		FPRate:     h.FPRate,
		Count:      h.Count,
		CountState: CountState(h.CountState),
		Metadata:   h.Metadata,
		Size:       h.TotalBytes(),
		InUse:      h.InUse,
		Counting:   h.Layout == format.Counting,
		Links:      h.Links,
	}
}
