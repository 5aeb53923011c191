package main

import "runtime"

// mapRival is Go's map, which is never wrong and takes the most memory.
type mapRival struct {
	set   map[uint64]struct{}
	bytes int
}

func (*mapRival) Name() string { return "Go map" }

func (r *mapRival) Build(hashes []uint64, _ int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.set = make(map[uint64]struct{}, len(hashes))
	runtime.ReadMemStats(&after)
	r.bytes = int(after.TotalAlloc - before.TotalAlloc)
	adviseHeap(r.bytes)
	for _, h := range hashes {
		r.set[h] = struct{}{}
	}
}

func (r *mapRival) Has(hashes []uint64) int {
	hits := 0
	for _, h := range hashes {
		if _, ok := r.set[h]; ok {
			hits++
		}
	}
	return hits
}

func (r *mapRival) Bytes() int { return r.bytes }
