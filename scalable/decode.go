package scalable

import (
	"fmt"
	"io"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

// parse returns what a whole body says of its links.
func parse(h format.Header, body []byte) ([]format.Link, error) {
	if err := h.CheckLayout(format.Chain); err != nil {
		return nil, err
	}
	links, err := h.ParseLinks(body)
	if err != nil {
		return nil, err
	}
	for i, l := range links {
		p := blocked.Params{Blocks: l.Blocks, K: l.K}
		// Not every CPU rounds alike.
		if rate := p.FPRate(l.Capacity); !(rate <= l.FPRate*(1+1e-6)) {
			return nil, fmt.Errorf("linebloom: %w: link %d of %d, with %v, has a rate of %g for %d keys, want at most %g",
				blocked.ErrCorrupt, i, len(links), p, rate, l.Capacity, l.FPRate)
		}
	}
	return links, nil
}

// decoded makes f the filter whose blocks are words, 64 bytes aligned.
func (f *Filter) decoded(h format.Header, links []format.Link, words []uint64) error {
	var chain []*link
	for _, l := range links {
		p := blocked.Params{Blocks: l.Blocks, K: l.K, Seed: h.Seed}
		n := p.Bytes() / 8
		filter, err := blocked.AtomicOf(words[:n:n], p)
		if err != nil {
			return err
		}
		words = words[n:]
		made := &link{filter: filter, capacity: l.Capacity, fpRate: l.FPRate}
		made.reserved.Store(l.Count)
		made.added.Store(l.Count)
		chain = append(chain, made)
	}
	f.capacity, f.fpRate, f.seed = h.Capacity, h.FPRate, h.Seed
	f.opts = []blocked.Option{blocked.WithSeed(h.Seed)}
	f.chain.Store(newChain(chain))
	return nil
}

// UnmarshalBinary makes f the filter that MarshalBinary returned; it can grow
// further, up to the bound that SetMaxBytes has set for f. It checks everything
// before it allocates the filter and leaves f as it was on an error, which wraps
// blocked.ErrCorrupt, blocked.ErrUnsupported or blocked.ErrUnclean. Bytes behind
// the filter are an error. It is not for use at the same time as other methods.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, body, err := format.DecodeBytes(data)
	if err != nil {
		return err
	}
	links, err := parse(h, body)
	if err != nil {
		return err
	}
	words := mem.Words(int(h.Blocks) * blockBytes / 8)
	copy(mem.Bytes(words), body)
	return f.decoded(h, links, words)
}

// UnmarshalText is UnmarshalBinary of base64.
func (f *Filter) UnmarshalText(text []byte) error {
	p, err := format.DecodeText(text)
	if err != nil {
		return err
	}
	return f.UnmarshalBinary(p)
}

// ReadFrom is UnmarshalBinary of all that r holds. It returns the number of bytes
// that were read. It never holds more than three times what it has read, and a
// MiB, whatever the header promises.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	h, body, n, err := format.Decode(r)
	if err != nil {
		return n, err
	}
	links, err := parse(h, mem.Bytes(body))
	if err != nil {
		return n, err
	}
	return n, f.decoded(h, links, body)
}
