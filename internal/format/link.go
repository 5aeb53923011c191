package format

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// MaxLinks is the largest number of links of a chain.
	MaxLinks = 64

	// LinkBytes is the size of the record of a link.
	LinkBytes = 64
)

// A Link is what a chain says of one of its filters. The records are behind the
// blocks of all links, in the same order, oldest first, so that a chain can be
// written in one go while others add to it: its keys are counted last.
type Link struct {
	Blocks   uint64
	Capacity uint64
	Count    uint64  // of keys, at most Capacity
	FPRate   float64 // at the capacity, at most
	K        int
}

// Where the fields of a record are. What follows them is 0.
const (
	atLinkBlocks   = 0
	atLinkCapacity = 8
	atLinkCount    = 16
	atLinkFPRate   = 24
	atLinkK        = 32
	atLinkReserved = 33
)

// AppendLinks appends the records of links to b.
func AppendLinks(b []byte, links []Link) []byte {
	le := binary.LittleEndian
	for _, l := range links {
		at := len(b)
		b = append(b, make([]byte, LinkBytes)...)
		p := b[at:]
		le.PutUint64(p[atLinkBlocks:], l.Blocks)
		le.PutUint64(p[atLinkCapacity:], l.Capacity)
		le.PutUint64(p[atLinkCount:], l.Count)
		le.PutUint64(p[atLinkFPRate:], math.Float64bits(l.FPRate))
		p[atLinkK] = byte(l.K)
	}
	return b
}

// ParseLinks returns the links of a chain, whose records end its body. What they
// say agrees with the header.
func (h *Header) ParseLinks(body []byte) ([]Link, error) {
	le := binary.LittleEndian
	records := body[h.Blocks*blockBytes:]
	links := make([]Link, h.Links)
	var blocks, count uint64
	rates := 0.0
	for i := range links {
		p := records[i*LinkBytes:][:LinkBytes]
		l := Link{
			Blocks:   le.Uint64(p[atLinkBlocks:]),
			Capacity: le.Uint64(p[atLinkCapacity:]),
			Count:    le.Uint64(p[atLinkCount:]),
			FPRate:   math.Float64frombits(le.Uint64(p[atLinkFPRate:])),
			K:        int(p[atLinkK]),
		}
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("%w, in link %d of %d", err, i, h.Links)
		}
		if !zero(p[atLinkReserved:]) {
			return nil, fmt.Errorf("linebloom: %w: reserved bytes of link %d of %d are %x, want zeros",
				ErrUnsupported, i, h.Links, p[atLinkReserved:])
		}
		blocks, count, rates = blocks+l.Blocks, count+l.Count, rates+l.FPRate
		links[i] = l
	}
	switch first := links[0]; {
	case blocks != h.Blocks:
		return nil, fmt.Errorf("linebloom: %w: links of %d blocks together, want %d as in the header", ErrCorrupt, blocks, h.Blocks)
	case first.K != h.K || first.Capacity != h.Capacity:
		return nil, fmt.Errorf("linebloom: %w: the first link has k = %d and is for %d keys, want %d and %d as in the header",
			ErrCorrupt, first.K, first.Capacity, h.K, h.Capacity)
	case h.CountState != Exact || count < h.Count:
		return nil, fmt.Errorf("linebloom: %w: links of %d keys together, want at least the %d of the header, in state %d, not %d",
			ErrCorrupt, count, h.Count, Exact, h.CountState)
	case !(rates < h.FPRate):
		return nil, fmt.Errorf("linebloom: %w: links with rates of %g together, want less than the %g of the header", ErrCorrupt, rates, h.FPRate)
	}
	return links, nil
}

func (l *Link) check() error {
	switch {
	case l.Blocks < 1 || l.Blocks > maxBlocks:
		return fmt.Errorf("linebloom: %w: %d blocks, want 1 to 2^32", ErrCorrupt, l.Blocks)
	case l.K < 1 || l.K > maxK:
		return fmt.Errorf("linebloom: %w: k is %d, want 1 to %d", ErrCorrupt, l.K, maxK)
	case l.Capacity < 1 || l.Capacity > 8*blockBytes*l.Blocks:
		return fmt.Errorf("linebloom: %w: %d blocks for %d keys, want 1 to 512 for each block", ErrCorrupt, l.Blocks, l.Capacity)
	case l.Count > l.Capacity:
		return fmt.Errorf("linebloom: %w: %d keys, want at most the capacity, %d", ErrCorrupt, l.Count, l.Capacity)
	case !(l.FPRate > 0 && l.FPRate < 1):
		return fmt.Errorf("linebloom: %w: rate is %g, want above 0 and below 1", ErrCorrupt, l.FPRate)
	}
	return nil
}
