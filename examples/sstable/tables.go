package main

import (
	"errors"
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
)

// Tables are searched from the first, the newest, to the last.
type Tables []*Table

// Get looks for a key in all tables. It is hashed once, the lines of all filters
// are on their way before the first is tested, and only tables whose filter says
// maybe are read.
func (ts Tables) Get(key []byte) ([]byte, bool) {
	var views [64]blocked.View
	var maybe [1]uint64
	h := blocked.HashKey(0, key)
	for at := 0; at < len(ts); at += len(views) {
		some := ts[at:min(at+len(views), len(ts))]
		for i, t := range some { // an engine keeps this slice per version of its tables
			views[i] = t.filter
		}
		blocked.HasHashEach(maybe[:], views[:len(some)], h)
		for word := maybe[0]; word != 0; word &= word - 1 {
			if v, ok := some[bits.TrailingZeros64(word)].read(key); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// Close unmaps all tables.
func (ts Tables) Close() error {
	var errs []error
	for _, t := range ts {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}

func (ts Tables) reads() (n int) {
	for _, t := range ts {
		n += t.Reads
	}
	return n
}

func (ts Tables) resetReads() {
	for _, t := range ts {
		t.Reads = 0
	}
}
