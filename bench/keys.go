package main

import (
	"math/bits"
	"math/rand/v2"
)

// queryKeys is the number of keys of a stream of queries: enough that no branch
// predictor learns their answers.
const queryKeys = 1 << 20

// absent is where the keys begin that are never added.
const absent = 1 << 40

// hashAt returns the i-th of a sequence of distinct, random looking hashes: the
// outputs of splitmix64, which is a bijection of its counter.
func hashAt(i uint64) uint64 {
	z := (i + 1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// hashesFrom returns n hashes of the sequence.
func hashesFrom(first uint64, n int) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = hashAt(first + uint64(i))
	}
	return hashes
}

// The streams of queries, by the part of their keys that was added.
const (
	miss = "miss"
	hit  = "hit"
	half = "half"
)

var streams = []string{miss, hit, half}

// queries returns the keys of a stream for a filter that holds the first n
// hashes of the sequence, and how many of them it holds. Small filters hold
// fewer keys than a stream has, so that hits repeat.
func queries(stream string, n int) (hashes []uint64, held int) {
	hashes = make([]uint64, queryKeys)
	for i := range hashes {
		r := hashAt(absent + uint64(i))
		hashes[i] = r
		if stream == hit || stream == half && bits.OnesCount64(r)%2 == 0 {
			at, _ := bits.Mul64(hashAt(2*absent+uint64(i)), uint64(n))
			hashes[i] = hashAt(at)
			held++
		}
	}
	return hashes, held
}

// byteKeys returns n random keys of 16 to 40 bytes that follow each other in
// memory, as those of a sorted table do. Different seeds give different keys.
func byteKeys(seed uint64, n int) [][]byte {
	r := rand.NewChaCha8([32]byte{byte(seed)})
	all := make([]byte, 40*n)
	_, _ = r.Read(all)
	keys := make([][]byte, n)
	for i := range keys {
		length := 16 + int(r.Uint64()%25)
		keys[i], all = all[:length:length], all[length:]
	}
	return keys
}

// stringsOf copies keys in the same way.
func stringsOf(keys [][]byte) []string {
	s := make([]string, len(keys))
	for i, key := range keys {
		s[i] = string(key)
	}
	return s
}
