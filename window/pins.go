package window

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// pins counts those who use something that is to be given back when nobody does any
// more. Goroutines count in different places, so that they do not wait for each
// other's cache lines: pin and unpin are an atomic addition each.
//
// Who reads pins p, and only then looks whether the thing is still the one in use,
// or unpins p and tries the next one. Who replaces the thing says so first, and then
// retires p. So whoever uses it had counted before it was replaced, and its place is
// not zero until it is done. Each place is looked at after that; those that were
// zero once can count somebody again who has come too late, and will not use it. The
// last to unpin, or who retires, finds all places zero.
type pins struct {
	retired atomic.Bool
	closed  atomic.Bool
	places  []place // a power of two of them
}

type place struct {
	n atomic.Int64
	_ [120]byte // two cache lines, since some CPUs fetch pairs of them
}

func newPins() *pins {
	n := 1
	for n < runtime.GOMAXPROCS(0) {
		n *= 2
	}
	return &pins{places: make([]place, 2*n)}
}

// pin counts the caller, at the place that it returns. Different goroutines have
// different stacks, and mostly different places.
func (p *pins) pin() *place {
	var here byte
	at := &p.places[uintptr(unsafe.Pointer(&here))>>11*0x9e3779b1>>7&uintptr(len(p.places)-1)]
	at.n.Add(1)
	return at
}

// unpin undoes pin. It reports whether the caller must give the thing back.
func (p *pins) unpin(at *place) bool {
	at.n.Add(-1)
	return p.retired.Load() && p.unused()
}

// retire says that the thing has been replaced. It reports whether the caller must
// give it back.
func (p *pins) retire() bool {
	p.retired.Store(true)
	return p.unused()
}

// unused reports, to one caller only, that nobody uses the thing.
func (p *pins) unused() bool {
	for i := range p.places {
		if p.places[i].n.Load() != 0 {
			return false
		}
	}
	return p.closed.CompareAndSwap(false, true)
}
