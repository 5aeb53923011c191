package main

import (
	"fmt"
	"strings"
)

// rates measures how often each Bloom filter is wrong, by bits per key.
func rates(b *bench, r *result) error {
	// No power of two, near which pebble does worse than elsewhere. The queries
	// are enough for hundreds of wrong answers of most at the lowest rate.
	bytes, asked := 1_000_000, 1<<24
	if b.quick {
		asked = 1 << 22
	}
	if len(b.sizes) > 0 && b.sizes[len(b.sizes)-1] < bytes { // a very small run
		bytes, asked = b.sizes[len(b.sizes)-1], 1<<18
	}
	batch := make([]uint64, min(asked, queryKeys))
	fmt.Fprintf(b.out, "%-12s", "bits per key")
	var names []string
	for _, c := range classes {
		if c.bloom {
			names = append(names, c.new().Name())
			fmt.Fprintf(b.out, "%*s", len(c.new().Name())+3, c.new().Name())
		}
	}
	fmt.Fprintln(b.out)
	for _, density := range []int{4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24} {
		n := bytes * 8 / density
		var built []rival
		var hits []int
		for _, c := range classes {
			if c.bloom {
				f := c.new()
				if own, ok := f.(*linebloom); ok {
					own.k = 0
				}
				f.Build(b.stock.first(n), bytes)
				if found := f.Has(b.stock.first(n)); found != n {
					return fmt.Errorf("%s finds %d of %d keys that were added", f.Name(), found, n)
				}
				built, hits = append(built, f), append(hits, 0)
			}
		}
		for at := 0; at < asked; at += len(batch) {
			for i := range batch {
				batch[i] = hashAt(absent + uint64(at+i))
			}
			for i, f := range built {
				hits[i] += f.Has(batch)
			}
		}
		line := fmt.Sprintf("%12d", density)
		for i, f := range built {
			rate := round(float64(hits[i]) / float64(asked))
			m := measurement{Contender: names[i], Bytes: bytes, OwnBytes: f.Bytes(), Keys: n, Stream: miss,
				BitsPerKey: float64(density), WrongRate: &rate}
			if own, ok := f.(modelled); ok {
				m.ModelRate = round(own.Model(n))
			}
			if own, ok := f.(*linebloom); ok {
				m.K = own.filter.Params().K
			}
			r.Measurements = append(r.Measurements, m)
			line += fmt.Sprintf("%*s", len(names[i])+3, percent(rate))
		}
		fmt.Fprintln(b.out, strings.TrimRight(line, " "))
	}
	return chartRates(b.dir, r)
}
