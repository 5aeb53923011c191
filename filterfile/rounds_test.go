package filterfile

import (
	"os"
	"strconv"
	"testing"
)

// rounds returns how often a test repeats what depends on chance, or is too much
// for every day: n times LINEBLOOM_ROUNDS, which is 1 if it is not set. CI sets
// it to 10. A fraction, 0.1 for example, is for an emulated CPU. At 10 and above,
// tests that otherwise try a sample try everything, see thorough. Under the race
// detector there are fewer rounds.
func rounds(n int) int {
	return max(1, int(float64(n)*factor/detector))
}

// thorough reports whether time does not matter.
func thorough() bool { return factor/detector >= 10 }

var factor = func() float64 {
	text := os.Getenv("LINEBLOOM_ROUNDS")
	if text == "" {
		return 1
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x <= 1e6) {
		panic("LINEBLOOM_ROUNDS is " + text + ", want a number above 0")
	}
	return x
}()

// missing ends a test for which the machine lacks something: what it is, and what
// to do. A test that CI leaves out proves nothing, so there it fails.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}
