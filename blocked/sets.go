package blocked

import (
	"fmt"
	"sync/atomic"
)

// A Viewer is a filter that can be read: *Filter, *AtomicFilter and View.
type Viewer interface{ View() View }

// compatible returns ErrIncompatible unless both filters have equal Params.
func (r reader) compatible(v View) error {
	if p, q := r.Params(), v.Params(); p != q {
		return fmt.Errorf("linebloom: %w: this filter has %v, the other %v", ErrIncompatible, p, q)
	}
	return nil
}

// Equal reports whether both filters have equal Params and equal bits. The
// capacities may differ.
func (r reader) Equal(other Viewer) bool {
	v := other.View()
	if r.compatible(v) != nil {
		return false
	}
	for i := range r.wordCount() {
		if r.word(i) != v.word(i) {
			return false
		}
	}
	return true
}

// Union adds all keys of other. The filter becomes the one that would have come
// of adding the keys of both. Filters whose Params differ give ErrIncompatible.
func (f *Filter) Union(other Viewer) error {
	v := other.View()
	if err := f.compatible(v); err != nil {
		return err
	}
	for i := range f.words {
		f.words[i] |= v.word(i)
	}
	return nil
}

// Intersect keeps the bits that both filters have. What remains says yes for
// every key that is in both. For others the false positive rate is at most that
// of either filter, but higher than if only the common keys had been added.
// Filters whose Params differ give ErrIncompatible.
func (f *Filter) Intersect(other Viewer) error {
	v := other.View()
	if err := f.compatible(v); err != nil {
		return err
	}
	for i := range f.words {
		f.words[i] &= v.word(i)
	}
	return nil
}

// Union is Filter.Union. It is safe for use at the same time as adds and tests.
func (f *AtomicFilter) Union(other Viewer) error {
	v := other.View()
	if err := f.compatible(v); err != nil {
		return err
	}
	for i := range f.shared {
		if w := v.word(i); w&^atomic.LoadUint64(&f.shared[i]) != 0 {
			atomic.OrUint64(&f.shared[i], w)
		}
	}
	return nil
}

// Intersect is Filter.Intersect. A key that is added to f meanwhile may be lost.
func (f *AtomicFilter) Intersect(other Viewer) error {
	v := other.View()
	if err := f.compatible(v); err != nil {
		return err
	}
	for i := range f.shared {
		atomic.AndUint64(&f.shared[i], v.word(i))
	}
	return nil
}
