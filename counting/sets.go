package counting

import (
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// Plain returns a plain filter of the keys that are there now. While no counter is
// stuck, it is bit for bit the one that would have come of adding them to an empty
// filter. It has a memory of its own, and the Capacity and TargetFPRate of f.
func (f *Filter) Plain() *blocked.Filter {
	f.lockAll()
	defer f.unlockAll()
	g, err := blocked.CopyOf(f.View(), f.capacity, f.fpRate)
	if err != nil {
		panic(err) // f has these Params
	}
	return g
}

// Clone returns a copy of the filter.
func (f *Filter) Clone() *Filter {
	g := f.NewLike()
	f.lockAll()
	defer f.unlockAll()
	copy(g.body, f.body)
	for i := range f.stripes {
		g.stripes[i].keys, g.stripes[i].stuck = f.stripes[i].keys, f.stripes[i].stuck
	}
	return g
}

// Clear removes all keys, those of stuck counters too.
func (f *Filter) Clear() {
	f.lockAll()
	defer f.unlockAll()
	generic.Clear(f.table)
	clear(f.counters)
	for i := range f.stripes {
		f.stripes[i].keys, f.stripes[i].stuck = 0, 0
	}
}

// Equal reports whether both filters have equal Params and equal counters, and so
// equal bits. The capacities may differ. It compares block by block: while one of
// the filters is changed, the answer means little.
func (f *Filter) Equal(other *Filter) bool {
	if f.Params() != other.Params() {
		return false
	}
	var counters blockCounters
	for b := range f.table.Blocks() {
		other.copyCounters(&counters, b)
		s := f.stripe(b)
		s.Lock()
		same := counters == *f.blockCounters(b)
		s.Unlock()
		if !same {
			return false
		}
	}
	return true
}

// copyCounters copies the counters of block b to dst. Who works on two filters
// copies, and never holds locks of both, so that nobody waits for ever.
func (f *Filter) copyCounters(dst *blockCounters, b uint64) {
	s := f.stripe(b)
	s.Lock()
	defer s.Unlock()
	*dst = *f.blockCounters(b)
}

// Union adds all keys of other, each as often as it is there. The filter becomes the
// one that would have come of adding the keys of both. Filters whose Params differ
// give ErrIncompatible. Adds to f and removes from it may go on meanwhile, but not
// those of other.
func (f *Filter) Union(other *Filter) error {
	if p, q := f.Params(), other.Params(); p != q {
		return fmt.Errorf("linebloom: %w: this filter has %v, the other %v", blocked.ErrIncompatible, p, q)
	}
	keys := other.Len()
	var more blockCounters
	for b := range f.table.Blocks() {
		other.copyCounters(&more, b)
		f.addCounters(&more, b)
	}
	s := &f.stripes[0]
	s.Lock()
	defer s.Unlock()
	s.keys += int64(keys)
	return nil
}

// addCounters adds more to the counters of block b, and sets the bits.
func (f *Filter) addCounters(more *blockCounters, b uint64) {
	s := f.stripe(b)
	s.Lock()
	defer s.Unlock()
	for i := range blockWords {
		set, _ := more.word(i)
		word := int(b)*blockWords + i
		f.table.SetWord(word, f.table.Word(word)|set)
	}
	s.stuck += f.blockCounters(b).add(more)
}
