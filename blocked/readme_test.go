package blocked

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The README's table is what ParamsFor buys for many keys.
func TestReadmeTableIsTrue(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rate := range []float64{0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001} {
		const n = 100_000_000
		p, err := ParamsFor(n, rate)
		if err != nil {
			t.Fatal(err)
		}
		classic := -math.Log2(rate) / math.Ln2
		row := fmt.Sprintf("| %.6g %% | %.2f | %d | %.2f |", 100*rate, float64(8*p.Bytes())/n, p.K, classic)
		if !strings.Contains(string(text), row) {
			t.Errorf("README.md lacks the row %s", row)
		}
	}
}
