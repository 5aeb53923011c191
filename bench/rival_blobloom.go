package main

import "github.com/greatroar/blobloom"

// blobloomRival is greatroar/blobloom: 512-bit blocks like linebloom's, with
// free probes, one key at a time.
type blobloomRival struct {
	filter *blobloom.Filter
	k      int
}

func (*blobloomRival) Name() string { return "blobloom" }

func (r *blobloomRival) Make(keys, bytes int) {
	r.k = blobloomHashes(keys, bytes)
	r.filter = blobloom.New(uint64(bytes)*8, r.k)
	adviseHeap(bytes)
}

// blobloomHashes returns the number of hashes with the lowest rate, or a smaller
// one that comes within 1 % of it and is faster. The first hash only chooses the
// block, which the model does not know: it fits filters with one hash more.
func blobloomHashes(keys, bytes int) int {
	// Once for each geometry: the search must not count as time to build.
	geometry := [2]int{keys, bytes}
	if k, ok := blobloomBest[geometry]; ok {
		return k
	}
	rate := func(k int) float64 {
		return blobloom.FPRate(uint64(keys), uint64(bytes)*8, k-1)
	}
	best := 2
	for k := 3; k <= 24; k++ {
		if rate(k) < 0.99*rate(best) {
			best = k
		}
	}
	blobloomBest[geometry] = best
	return best
}

var blobloomBest = map[[2]int]int{}

func (r *blobloomRival) Add(hashes []uint64) {
	for _, h := range hashes {
		r.filter.Add(h)
	}
}

func (r *blobloomRival) Build(hashes []uint64, bytes int) {
	r.Make(len(hashes), bytes)
	r.Add(hashes)
}

func (r *blobloomRival) Has(hashes []uint64) int {
	hits := 0
	for _, h := range hashes {
		if r.filter.Has(h) {
			hits++
		}
	}
	return hits
}

func (r *blobloomRival) Bytes() int { return int(r.filter.NumBits() / 8) }

func (r *blobloomRival) Model(n int) float64 {
	return blobloom.FPRate(uint64(n), r.filter.NumBits(), r.k-1)
}
