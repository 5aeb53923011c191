package main

import (
	"fmt"
	"math/bits"
)

// sameHits compares contenders that must give the same answers.
func sameHits(a, b series) error {
	if a.hits != b.hits {
		return fmt.Errorf("%s finds %d keys, %s %d", a.name, a.hits, b.name, b.hits)
	}
	return nil
}

func countOnes(words []uint64) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
