package main

import (
	"errors"
	"path/filepath"
	"slices"
)

// chartLookups draws ns per key by size, for absent keys.
func chartLookups(dir string, r *result) error {
	c := chart{
		title: "A look-up of an absent key, 10 bits per key",
		x:     axis{label: "size of the filter", sizes: true},
		y:     axis{label: "ns per key"},
	}
	for _, m := range r.Measurements {
		if m.Stream == miss {
			c.add(m.Contender, float64(m.Bytes), m.NsPerKey)
		}
	}
	return c.write(filepath.Join(dir, "lookups.svg"))
}

// chartBuilds draws the time to build a filter, by size.
func chartBuilds(dir string, r *result) error {
	c := chart{
		title: "Building a filter from ready hashes, 10 bits per key",
		x:     axis{label: "size of the filter", sizes: true},
		y:     axis{label: "ns per key"},
	}
	for _, m := range r.Measurements {
		c.add(m.Contender, float64(m.Bytes), m.NsPerKey)
	}
	return c.write(filepath.Join(dir, "builds.svg"))
}

// chartGrowth draws the cost of a key by the size of the filter: what tests cost
// into one chart, what adding costs into another.
func chartGrowth(dir string, r *result) error {
	tests := chart{
		title: "A test of an absent key, 10 bits per key, k = 6",
		x:     axis{label: "size of the filter", sizes: true},
		y:     axis{label: "ns per key"},
	}
	adds := chart{
		title: "Adding ready hashes to an empty filter, 10 bits per key, k = 6",
		x:     axis{label: "size of the filter", sizes: true},
		y:     axis{label: "ns per added key"},
	}
	for _, m := range r.Measurements {
		if m.Stream == miss {
			tests.add(m.Contender, float64(m.Bytes), m.NsPerKey)
		} else {
			adds.add(m.Contender, float64(m.Bytes), m.NsPerKey)
		}
	}
	return errors.Join(tests.write(filepath.Join(dir, "growth.svg")),
		adds.write(filepath.Join(dir, "growth-builds.svg")))
}

// chartRates draws measured rates of wrong answers, and as dashed lines what
// linebloom promises and what a classic filter should do.
func chartRates(dir string, r *result) error {
	c := chart{
		title: "Wrong answers for absent keys",
		x:     axis{label: "bits per key", linear: true},
		y:     axis{label: "false positive rate"},
	}
	const model, classic = "linebloom, model", "classic filter, model"
	var densities []float64
	for _, m := range r.Measurements {
		if m.WrongRate != nil && *m.WrongRate > 0 { // none has no logarithm
			c.add(m.Contender, m.BitsPerKey, *m.WrongRate)
		}
		if m.Contender == "linebloom" {
			densities = append(densities, m.BitsPerKey)
			c.add(model, m.BitsPerKey, m.ModelRate)
		}
	}
	for _, d := range densities {
		c.add(classic, d, classicRate(d, classicProbes(d)))
	}
	slices.SortStableFunc(c.lines, func(a, b line) int { return boolInt(a.dashed()) - boolInt(b.dashed()) })
	return c.write(filepath.Join(dir, "rates.svg"))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
