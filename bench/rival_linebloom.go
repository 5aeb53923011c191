package main

import "github.com/linebloom/linebloom/blocked"

// linebloom is not its own rival, but is built and asked like one.
type linebloom struct {
	k        int  // 0 means the best
	parallel bool // adds with all CPUs
	filter   *blocked.Filter
	answers  []uint64
}

// parallelFrom is the size of filters from which AddHashesParallel is parallel.
const parallelFrom = 4 << 20

func (r *linebloom) Name() string {
	if r.parallel {
		return "linebloom, all CPUs"
	}
	return "linebloom"
}

func (r *linebloom) Make(keys, bytes int) {
	p := blocked.Params{Blocks: uint64(bytes) / 64, K: r.k}
	if r.k == 0 {
		best, err := blocked.ParamsForBytes(uint64(keys), uint64(bytes))
		if err != nil {
			panic(err) // the sizes are those of this program
		}
		p = best
	}
	f, err := blocked.NewFromParams(p)
	if err != nil {
		panic(err)
	}
	r.filter = f
}

func (r *linebloom) Add(hashes []uint64) {
	if r.parallel {
		r.filter.AddHashesParallel(hashes, 0)
		return
	}
	r.filter.AddHashes(hashes)
}

func (r *linebloom) Build(hashes []uint64, bytes int) {
	r.Make(len(hashes), bytes)
	r.Add(hashes)
}

// Has reuses the memory for answers, as whoever asks often would.
func (r *linebloom) Has(hashes []uint64) int {
	if words := (len(hashes) + 63) / 64; len(r.answers) < words {
		r.answers = make([]uint64, words)
	}
	return r.filter.HasHashes(r.answers, hashes)
}

// HasOne is Has by the method for one key.
func (r *linebloom) HasOne(hashes []uint64) int {
	hits := 0
	for _, h := range hashes {
		if r.filter.HasHash(h) {
			hits++
		}
	}
	return hits
}

func (r *linebloom) Bytes() int { return len(r.filter.Blocks()) }

func (r *linebloom) Model(n int) float64 { return r.filter.Params().FPRate(uint64(n)) }
