package main

import "testing"

// touchLikeGo: both loops add up the same words, around every unrolled tail and
// batch.
func TestTouchLikeGo(t *testing.T) {
	for _, lines := range []int{1, 3, 1000} {
		data := make([]byte, 64*lines)
		for i := range data {
			data[i] = byte(hashAt(uint64(i)))
		}
		for _, n := range []int{0, 1, 3, 4, 5, 7, 8, 95, 96, 97, 99, 100, 101, 1023, 1024, 1025, 1119, 1120, 1121, 5000} {
			hashes := hashesFrom(7, n)
			want := touchLinesGo(data, hashes)
			if got := touch(data, hashes); got != want {
				t.Errorf("%d lines, %d hashes: touch gives %x, want %x", lines, n, got, want)
			}
			if got := touchAhead(data, hashes); got != want {
				t.Errorf("%d lines, %d hashes: touchAhead gives %x, want %x", lines, n, got, want)
			}
		}
	}
}
