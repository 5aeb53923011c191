package scalable

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/linebloom/linebloom/blocked"
)

// MinFPRate is the smallest false positive rate that can be asked for. The share
// of the last link that a chain can have, of 2^32 blocks, is then just above
// blocked.MinFPRate.
const MinFPRate = 1e-6

// A Filter is a Bloom filter that grows. Any number of goroutines may use it at
// the same time, but for its decoding methods. The zero Filter is not usable but
// for those; make one with New or Open. A Filter must not be copied.
type Filter struct {
	capacity uint64  // of the first link
	fpRate   float64 // of the whole
	seed     uint64
	opts     []blocked.Option

	chain    atomic.Pointer[chain]
	growing  sync.Mutex // held by who replaces the chain
	maxBytes uint64     // guarded by growing; 0: no bound
}

// New returns an empty filter whose first link is for firstCapacity keys: as many
// as are certain to come, or a few thousand. Its false positive rate stays below
// fpRate, which is at least MinFPRate and below 1, however many keys are added.
//
// blocked.WithSeed sets the seed of all links. blocked.WithMaxBytes bounds the
// size of all links together: see SetMaxBytes. blocked.WithK fixes the probes of
// all links that this Filter adds. Bad parameters give blocked.ErrInvalid, and a
// first link above a limit blocked.ErrTooLarge.
func New(firstCapacity uint64, fpRate float64, opts ...blocked.Option) (*Filter, error) {
	if !(fpRate >= MinFPRate && fpRate < 1) { // also refuses NaN
		return nil, fmt.Errorf("linebloom: %w: false positive rate is %g, want at least %g and below 1: each link gets a part of it",
			blocked.ErrInvalid, fpRate, MinFPRate)
	}
	share := nextShare(fpRate, nil)
	p, err := blocked.ParamsFor(firstCapacity, share, opts...)
	if err != nil {
		return nil, err
	}
	l, err := newLink(p, firstCapacity, share)
	if err != nil {
		return nil, err
	}
	f := &Filter{capacity: firstCapacity, fpRate: fpRate, seed: p.Seed, opts: opts}
	f.maxBytes, err = blocked.MaxBytes(opts...)
	f.chain.Store(newChain([]*link{l}))
	return f, err
}

// SetMaxBytes bounds the size of all links together, in bytes; 0 means no bound.
// When the next link does not fit, a smaller one takes what is left, unless that
// is too little to be worth it, below a fifth of the whole. When there is no room
// for another link, adding a key that is not there gives blocked.ErrTooLarge, and
// the key is not added: the rate never gets worse. Raising the bound lets the
// filter grow again. A bound below the present size takes nothing away.
//
// Growing beyond the machine's memory ends the program, as any such allocation in
// Go does.
func (f *Filter) SetMaxBytes(n uint64) {
	f.growing.Lock()
	defer f.growing.Unlock()
	f.maxBytes = n
	if c := f.chain.Load(); c != nil { // not the zero Filter
		c.full.Store(nil)
	}
}

// Links returns the number of links.
func (f *Filter) Links() int { return len(f.chain.Load().links) }

// Capacity returns the number of keys that the links which are there can hold.
func (f *Filter) Capacity() uint64 {
	n := uint64(0)
	for _, l := range f.chain.Load().links {
		n += l.capacity
	}
	return n
}

// Bytes returns the size of the blocks of all links, in bytes.
func (f *Filter) Bytes() uint64 { return f.chain.Load().bytes() }

// Len returns the number of keys that were new when they were added: all but false
// positives, which a filter need not hold to report them present.
func (f *Filter) Len() uint64 { return f.chain.Load().len() }

// Seed returns the seed of the hash, for blocked.HashKey.
func (f *Filter) Seed() uint64 { return f.seed }

// TargetFPRate returns the false positive rate that was asked for.
func (f *Filter) TargetFPRate() float64 { return f.fpRate }

// EstimateFPRate returns the false positive rate of the filter as it is filled
// now, 0 to 1, from the bits that are set: the probability that some link reports a
// random absent key present. It reads the whole filter, about a GiB a second.
func (f *Filter) EstimateFPRate() float64 {
	absent := 1.0
	for _, l := range f.chain.Load().links {
		absent *= 1 - l.filter.EstimateFPRate()
	}
	return 1 - absent
}
