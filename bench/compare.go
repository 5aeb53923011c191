package main

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/linebloom/linebloom/blocked"
)

// compare measures the contenders, prints and records them, and returns their
// series in the same order.
func (b *bench) compare(r *result, title string, rounds int, about measurement, contenders ...contender) ([]series, error) {
	all, err := measure(rounds, contenders)
	if err != nil {
		return nil, err
	}
	from := len(r.Measurements)
	r.record(all, about)
	b.printSeries(title, r.Measurements[from:])
	return all, nil
}

// wants reports whether filters of that size are to be measured, and notes that
// the promise is not tested if not.
func (b *bench) wants(r *result, bytes int, what string, required float64, atMost bool) bool {
	if slices.Contains(b.sizes, bytes) {
		return true
	}
	r.skip(what, required, atMost, "filters of "+sizeName(bytes)+" were not asked for")
	return false
}

// asking returns the contender that asks r for the hashes, of which it holds
// that many.
func asking(name string, has func([]uint64) int, hashes []uint64, held int) contender {
	return contender{
		name:    name,
		keys:    len(hashes),
		atLeast: held,
		pass:    func() int { return has(hashes) },
	}
}

// adding returns the contender that adds the hashes to f by one goroutine. f is
// there already and empty.
func adding(f *blocked.Filter, hashes []uint64) contender {
	return contender{
		name:   "linebloom AddHashes",
		keys:   len(hashes),
		before: f.Clear,
		noRate: true,
		pass:   func() int { f.AddHashes(hashes); return 0 },
	}
}

// addingParallel is adding by all CPUs. The memory that a call takes is fresh
// from the system, as it is for a program that builds one filter: the collector
// rests while the clock runs, and what large calls leave is given back before.
func addingParallel(f *blocked.Filter, hashes []uint64) contender {
	before := f.Clear
	if len(f.Blocks()) >= 64<<20 {
		before = func() { f.Clear(); debug.FreeOSMemory() }
	}
	return contender{
		name:     "linebloom AddHashesParallel",
		keys:     len(hashes),
		before:   before,
		noRate:   true,
		parallel: true,
		pass:     func() int { f.AddHashesParallel(hashes, 0); return 0 },
	}
}

// holds returns an error unless f finds all of the hashes, or the first of them
// if they are many. All were added.
func holds(f *linebloom, hashes []uint64) error {
	hashes = hashes[:min(queryKeys, len(hashes))]
	if found := f.Has(hashes); found != len(hashes) {
		return fmt.Errorf("%s: %d of %d keys that were added are found", sizeName(f.Bytes()), found, len(hashes))
	}
	return nil
}
