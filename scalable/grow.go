package scalable

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// The numbers below were chosen by computing memory with the exact rates, for a
// chain that starts with 1,000 keys, against one blocked filter for n keys at a
// rate of 1 %. Mean and worst are those over n from 10^5 to 10^9.
//
//	growth   ratio   n = 10^3  10^4  10^6  10^8 (links)   mean  worst
//	4        0.8         1.35  3.14  2.27  6.67 (10)      3.87   7.74
//	4        0.9         1.55  3.41  2.32  6.35 (10)      3.81   7.25
//	3.5      0.9         1.55  2.72  4.44  2.00 (10)      3.51   6.44
//	2        0.9         1.55  2.46  1.84  2.63 (17)      2.74   4.16
//	10; 2.6  0.8         1.35  1.59  1.67  2.47 (10)      3.05   5.40
//	10; 2.6  0.85        1.45  1.66  1.70  2.39 (10)      3.00   5.24
//	10; 2.6  0.9         1.55  1.77  1.75  2.36 (10)      3.02   5.42
//	10; 2.6  0.95        1.70  1.95  1.89  2.45 (10)      3.19   5.91
//
// What decides is growth: after a link is added, the chain has room for that many
// times its keys. To get from 1,000 keys to 10^8 with ten links it has to be 3.5 if
// it is the same throughout. But a link of up to 100,000 keys is a few hundred
// kilobytes, which nobody needs to save: growing tenfold there leaves more links,
// and so a smaller growth, for where memory counts. The ratio matters little; 0.9
// gives the tenth link the most, and leaves enough for the last one at MinFPRate.

const (
	// smallLink is the capacity below which a link is followed by one of
	// smallGrowth times its capacity, and from which on by one of
	// growthTenths/10 times.
	smallLink    = 100_000
	smallGrowth  = 10
	growthTenths = 26

	// share is the part that a link takes of what the links before it have left of
	// the rate, 1 minus the tightening ratio. Link i has the rate
	//
	//	fpRate * share * (1-share)^i
	//
	// and all links that may ever come have fpRate together, the bound for any
	// union of events. For link 9, the tenth, this is largest with share = 1/10.
	share = 0.1

	// worthALink is the part of the newest link's capacity, a quarter, that is worth
	// another link where there is no room for a whole one.
	worthALink = 4
)

// nextCapacity returns the capacity of the link that follows one of capacity n.
func nextCapacity(n uint64) uint64 {
	if n < smallLink {
		return smallGrowth * n
	}
	return n/10*growthTenths + n%10*growthTenths/10 // n * growthTenths may be too large
}

// nextShare returns the rate of the link that follows these.
func nextShare(fpRate float64, links []*link) float64 {
	left := fpRate
	for _, l := range links {
		left -= l.fpRate
	}
	return share * left
}

// grow adds a link behind those of c, whose newest link had no place for a key. It
// returns without doing so if somebody else did, or gave a place back.
//
// # Why a key is reported new at most once
//
// Of all calls that add one key at the same time, at most one may report it new,
// also while the chain grows. Each call that does has
//
//  1. loaded a chain,
//  2. found the key in none of its links,
//  3. reserved a place in its newest link,
//  4. won there: TestAndAdd of an AtomicFilter said that the key was not there,
//  5. settled.
//
// Of calls that got to step 4 with the same link at most one wins, as
// AtomicFilter promises. Suppose that two won in different links, A in the older
// and B in the newer. B's link was published, below, after every place in A's link
// had been reserved and settled; so A had set all bits of the key before B loaded
// its chain, which has A's link in it, and B found the key in step 2.
// Contradiction.
//
// The same keeps the promise of the rate: no link ever gets a key beyond its
// capacity.
func (f *Filter) grow(c *chain) error {
	if err := c.full.Load(); err != nil { // until SetMaxBytes says otherwise
		return *err
	}
	f.growing.Lock()
	defer f.growing.Unlock()
	if f.chain.Load() != c {
		return nil
	}
	for newest := c.newest(); newest.added.Load() < newest.capacity; {
		if newest.reserved.Load() < newest.capacity {
			return nil
		}
		runtime.Gosched() // others are between steps 3 and 5
	}
	l, err := f.nextLink(c)
	if err != nil {
		c.full.Store(&err)
		return err
	}
	f.chain.Store(newChain(append(slices.Clip(c.links), l)))
	return nil
}

// nextLink returns the link that follows those of c.
func (f *Filter) nextLink(c *chain) (*link, error) {
	if len(c.links) == format.MaxLinks {
		return nil, fmt.Errorf("linebloom: %w: a chain has %d links at most", blocked.ErrTooLarge, format.MaxLinks)
	}
	rate := nextShare(f.fpRate, c.links)
	if rate < blocked.MinFPRate {
		return nil, fmt.Errorf("linebloom: %w: %d links leave a rate of %g for the next, which needs %g",
			blocked.ErrTooLarge, len(c.links), rate, blocked.MinFPRate)
	}
	n := nextCapacity(c.newest().capacity)
	n, p, err := f.fit(n, rate, c)
	if err != nil {
		return nil, err
	}
	return newLink(p, n, rate)
}

// fit returns the geometry of a link for n keys, or for as many as there is room
// for beside the links of c.
func (f *Filter) fit(n uint64, rate float64, c *chain) (uint64, blocked.Params, error) {
	room := f.room(c)
	least := c.newest().capacity/worthALink + 1
	for {
		p, err := blocked.ParamsFor(n, rate, f.options()...)
		if err != nil || p.Bytes() <= room {
			return n, p, err
		}
		// Rounding down, and a little more, as blocks are rounded up.
		fits := uint64(float64(n) * float64(room) / float64(p.Bytes()) * 0.999)
		if fits < least {
			return 0, p, fmt.Errorf("linebloom: %w: %d links of %d bytes hold %d keys, and there is no room for another: %d bytes are left, want %d for %d keys more",
				blocked.ErrTooLarge, len(c.links), c.bytes(), f.Len(), room, p.Bytes(), n)
		}
		n = fits
	}
}

// room returns how many bytes there are for another link.
func (f *Filter) room(c *chain) uint64 {
	most := uint64(generic.MaxBlocks * generic.BlockBytes)
	if f.maxBytes != 0 {
		most = min(most, f.maxBytes)
	}
	return most - min(most, c.bytes())
}

// options returns those of New, less the bound of a single filter.
func (f *Filter) options() []blocked.Option {
	return append(slices.Clip(f.opts), blocked.WithMaxBytes(math.MaxUint64))
}
