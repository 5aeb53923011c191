package main

import (
	"math"
	"testing"
)

// Every rival finds what was added and is wrong as rarely as its kind should
// be. 3 % is above what the worst of them shows at 10 bits per key, a cuckoo
// filter with a byte per cell.
func TestRivalsAnswer(t *testing.T) {
	const bytes = 100 * 640
	hashes := hashesFrom(0, keysFor(bytes))
	others := hashesFrom(absent, 1<<18)
	for _, c := range classes {
		r := c.new()
		t.Run(r.Name(), func(t *testing.T) {
			r.Build(hashes, bytes)
			if found := r.Has(hashes); found != len(hashes) {
				t.Errorf("finds %d of %d keys that were added", found, len(hashes))
			}
			rate := float64(r.Has(others)) / float64(len(others))
			if _, exact := r.(*mapRival); exact != (rate == 0) || rate > 0.03 {
				t.Errorf("is wrong in %s", percent(rate))
			}
			if m, ok := r.(modelled); ok && math.Abs(rate/m.Model(len(hashes))-1) > 0.1 {
				t.Errorf("is wrong in %s, its model says %s", percent(rate), percent(m.Model(len(hashes))))
			}
			if c.bloom && (r.Bytes() < bytes || r.Bytes() > bytes+128) {
				t.Errorf("takes %d bytes, %d were offered", r.Bytes(), bytes)
			}
		})
	}
}

func TestHasOneAgreesWithHas(t *testing.T) {
	f := &linebloom{k: 6}
	f.Build(hashesFrom(0, 5000), 6400)
	hashes, held := queries(half, 5000)
	if one, batch := f.HasOne(hashes), f.Has(hashes); one != batch || one < held {
		t.Errorf("one by one %d keys are found, in a batch %d, and %d were added", one, batch, held)
	}
}

func TestChunksMakeTheSameFilter(t *testing.T) {
	const bytes = 64 << 10
	whole, chunked := &linebloom{k: 6}, &linebloom{k: 6}
	whole.Build(hashesFrom(0, keysFor(bytes)), bytes)
	fillInChunks(chunked, keysFor(bytes), bytes)
	if !whole.filter.Equal(chunked.filter) {
		t.Error("the filters differ")
	}
}
