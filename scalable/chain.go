package scalable

import (
	"slices"
	"sync/atomic"

	"github.com/linebloom/linebloom/blocked"
)

// A chain is the links that there are at one time. It does not change: to grow is
// to replace it by a longer one.
type chain struct {
	links []*link               // oldest first
	views []blocked.View        // newest first, which is the largest
	full  atomic.Pointer[error] // why it cannot grow, if that is known
}

func newChain(links []*link) *chain {
	c := &chain{links: links}
	for _, l := range slices.Backward(links) {
		c.views = append(c.views, l.filter.View())
	}
	return c
}

func (c *chain) newest() *link { return c.links[len(c.links)-1] }

func (c *chain) blocks() uint64 {
	n := uint64(0)
	for _, l := range c.links {
		n += l.filter.Params().Blocks
	}
	return n
}

func (c *chain) bytes() uint64 { return c.blocks() * blockBytes }

func (c *chain) len() uint64 {
	n := uint64(0)
	for _, l := range c.links {
		n += l.added.Load()
	}
	return n
}

// A link is a filter of a chain and the number of keys that were added to it.
//
// Whoever adds keys to a link first reserves places for them, and settles how many
// of these were needed when all bits are set. So at any time
//
//	added <= keys with bits in the filter <= reserved <= capacity
//
// and added == capacity means that nobody is adding to the link and nobody ever
// will: it is sealed.
type link struct {
	filter   *blocked.AtomicFilter
	capacity uint64
	fpRate   float64 // at the capacity, at most
	reserved atomic.Uint64
	added    atomic.Uint64
}

func newLink(p blocked.Params, capacity uint64, fpRate float64) (*link, error) {
	f, err := blocked.NewAtomicFromParams(p)
	if err != nil {
		return nil, err
	}
	return &link{filter: f, capacity: capacity, fpRate: fpRate}, nil
}

// reserve reserves places for up to n keys and returns for how many: 0 if the link
// is full.
func (l *link) reserve(n uint64) uint64 {
	for {
		r := l.reserved.Load()
		m := min(n, l.capacity-r)
		if m == 0 || l.reserved.CompareAndSwap(r, r+m) {
			return m
		}
	}
}

// settle counts the keys that were new, out of the n that had places, and gives
// the other places back.
func (l *link) settle(n, isNew uint64) {
	l.added.Add(isNew)
	if isNew < n {
		l.reserved.Add(isNew - n) // modulo 2^64
	}
}
