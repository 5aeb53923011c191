package main

import (
	"slices"
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
