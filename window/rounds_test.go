package window

import "testing"

// rounds returns how often a test repeats what depends on chance: n times, and
// less under the race detector and with -short.
func rounds(n int) int {
	if testing.Short() {
		n /= 10
	}
	return max(1, n/detector)
}
