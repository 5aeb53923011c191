package blocked

import (
	"fmt"

	"github.com/linebloom/linebloom/generic"
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
	return r.compatible(v) == nil && generic.Equal(r.table, v.table)
}

// Union adds all keys of other. The filter becomes the one that would have come
// of adding the keys of both. Filters whose Params differ give ErrIncompatible.
// On an AtomicFilter it is safe for use at the same time as adds and tests.
func (w *writer) Union(other Viewer) error {
	v := other.View()
	if err := w.compatible(v); err != nil {
		return err
	}
	generic.Union(w.table, v.table)
	return nil
}

// Intersect keeps the bits that both filters have. What remains says yes for
// every key that is in both. For others the false positive rate is at most that
// of either filter, but higher than if only the common keys had been added.
// Filters whose Params differ give ErrIncompatible. A key that is added to an
// AtomicFilter meanwhile may be lost.
func (w *writer) Intersect(other Viewer) error {
	v := other.View()
	if err := w.compatible(v); err != nil {
		return err
	}
	generic.Intersect(w.table, v.table)
	return nil
}
