package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/linebloom/linebloom/blocked"
)

// The ranges of the table, those of the last one of Pei Cao's "Bloom Filters - the
// math".
const (
	tableFromBits, tableToBits = 22, 32
	tableFromK, tableToK       = 17, 24
)

// A table has false positive rates by bits per key.
type table struct {
	Probes []int      `json:"k"` // of the columns of classic rates
	Rows   []tableRow `json:"rows"`
}

type tableRow struct {
	BitsPerKey   int       `json:"bits_per_key"`
	BestRealK    float64   `json:"optimal_k"`
	ClassicRates []float64 `json:"classic_rates"`
	ClassicK     int       `json:"classic_k"` // with the lowest rate
	ClassicRate  float64   `json:"classic_rate"`
	BlockedK     int       `json:"linebloom_k"`
	BlockedRate  float64   `json:"linebloom_rate"`
}

func newTable() table {
	var t table
	for k := tableFromK; k <= tableToK; k++ {
		t.Probes = append(t.Probes, k)
	}
	for bits := tableFromBits; bits <= tableToBits; bits++ {
		b := float64(bits)
		row := tableRow{BitsPerKey: bits, BestRealK: classicBestRealK(b), ClassicK: classicBestK(b)}
		for _, k := range t.Probes {
			row.ClassicRates = append(row.ClassicRates, classicRate(b, k))
		}
		row.ClassicRate = classicRate(b, row.ClassicK)
		row.BlockedK, row.BlockedRate = bestBlocked(b)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// bestBlocked returns the k with the lowest rate of this library for so many bits
// per key, and the rate, of a large filter.
func bestBlocked(bits float64) (k int, rate float64) {
	const blocks = 1 << 20
	keys := uint64(512 * blocks / bits)
	rate = 2
	for i := 1; i <= maxBlockedK; i++ {
		if r := (blocked.Params{Blocks: blocks, K: i}).FPRate(keys); r < rate {
			k, rate = i, r
		}
	}
	return k, rate
}

func (t table) print(w io.Writer) error {
	var b strings.Builder
	b.WriteString("False positive rates of classic Bloom filters, (1 - e^(-kn/m))^k,\nby bits per key, m/n, and probes per key. The optimal k need not be whole.\n\n")
	fmt.Fprintf(&b, "m/n    k")
	for _, k := range t.Probes {
		fmt.Fprintf(&b, "%9s", fmt.Sprintf("k=%d", k))
	}
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "\n%3d %4.1f", row.BitsPerKey, row.BestRealK)
		for _, rate := range row.ClassicRates {
			fmt.Fprintf(&b, " %8.2e", rate)
		}
	}
	fmt.Fprintf(&b, `

The same memory in this library, whose k is at most %d, and in a classic filter
with the best whole k. One probes a single cache line, the other up to k.

m/n    linebloom      classic        ratio
`, maxBlockedK)
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "%3d    k=%d %8.2e  k=%d %8.2e  %5.1f\n", row.BitsPerKey,
			row.BlockedK, row.BlockedRate, row.ClassicK, row.ClassicRate, row.BlockedRate/row.ClassicRate)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
