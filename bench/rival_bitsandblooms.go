package main

import (
	"encoding/binary"
	"math"

	"github.com/bits-and-blooms/bloom/v3"
)

// bitsAndBlooms is bits-and-blooms/bloom, a classic Bloom filter: its probes
// lie anywhere.
type bitsAndBlooms struct{ filter *bloom.BloomFilter }

func (*bitsAndBlooms) Name() string { return "bits-and-blooms" }

func (r *bitsAndBlooms) Make(keys, bytes int) {
	r.filter = bloom.New(uint(bytes)*8, classicProbes(float64(bytes)*8/float64(keys)))
	adviseHeap(bytes)
}

// classicProbes returns the best number of probes of a classic Bloom filter.
func classicProbes(bitsPerKey float64) uint {
	best := uint(1)
	for k := uint(2); k <= 30; k++ {
		if classicRate(bitsPerKey, k) < classicRate(bitsPerKey, best) {
			best = k
		}
	}
	return best
}

// classicRate is the textbook formula for filters whose probes lie anywhere.
func classicRate(bitsPerKey float64, k uint) float64 {
	return math.Pow(-math.Expm1(-float64(k)/bitsPerKey), float64(k))
}

func (r *bitsAndBlooms) Add(hashes []uint64) {
	var key [8]byte
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(key[:], h)
		r.filter.Add(key[:])
	}
}

func (r *bitsAndBlooms) Build(hashes []uint64, bytes int) {
	r.Make(len(hashes), bytes)
	r.Add(hashes)
}

func (r *bitsAndBlooms) Has(hashes []uint64) int {
	var key [8]byte
	hits := 0
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(key[:], h)
		if r.filter.Test(key[:]) {
			hits++
		}
	}
	return hits
}

func (r *bitsAndBlooms) Bytes() int { return int(r.filter.Cap() / 8) }

func (r *bitsAndBlooms) Model(n int) float64 {
	return classicRate(float64(r.filter.Cap())/float64(n), r.filter.K())
}
