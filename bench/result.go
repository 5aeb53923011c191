package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
)

// A result is the file of numbers that an experiment leaves.
type result struct {
	Machine      machine
	Experiment   string
	About        string
	Rounds       int
	Seconds      float64
	Verdicts     []verdict `json:",omitempty"`
	Measurements []measurement
}

// A measurement is what one contender did in one place.
type measurement struct {
	Contender     string
	Bytes         int       `json:",omitempty"` // of the Bloom filters that are compared
	OwnBytes      int       `json:",omitempty"` // of this contender
	Keys          int       `json:",omitempty"` // that it holds
	Stream        string    `json:",omitempty"` // miss, hit or half
	BitsPerKey    float64   `json:",omitempty"`
	K             int       `json:",omitempty"`
	NsPerKey      float64   `json:",omitempty"` // median of Rounds
	Ratio         float64   `json:",omitempty"` // median over the rounds, to the first contender
	WrongRate     *float64  `json:",omitempty"` // measured false positive rate, 0 to 1
	ModelRate     float64   `json:",omitempty"`
	AllocsPerCall *float64  `json:",omitempty"`
	Rounds        []float64 `json:",omitempty"` // ns per key
}

// A verdict compares a ratio with what was promised.
type verdict struct {
	Row      string
	What     string
	Measured float64 `json:",omitempty"`
	Required float64
	AtMost   bool `json:",omitempty"` // Required is an upper bound
	OK       bool
	Skipped  string `json:",omitempty"` // why it was not measured
}

func (r *result) write(dir string) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, r.Experiment+".json"), append(data, '\n'), 0o666)
}

// round keeps four significant digits, which is more than can be repeated.
func round(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-3)
	if unit < 1 {
		inverse := math.Round(1 / unit) // exact, unlike unit
		return math.Round(x*inverse) / inverse
	}
	return math.Round(x/unit) * unit
}

// record adds the series to the result. The first is what the ratios of the
// others are to. about tells what they have in common.
func (r *result) record(all []series, about measurement) {
	for _, s := range all {
		m := about
		m.Contender = s.name
		m.NsPerKey = round(median(s.nsPerKey))
		m.Ratio = round(ratio(s, all[0]))
		if s.ownBytes > 0 {
			m.OwnBytes = s.ownBytes
		}
		if about.Stream == miss && !s.noRate {
			rate := round(float64(s.hits) / float64(s.keys))
			m.WrongRate = &rate
		}
		if s.counted {
			allocs := s.allocs // a pointer into s would keep its filter alive
			m.AllocsPerCall = &allocs
		}
		for _, ns := range s.nsPerKey {
			m.Rounds = append(m.Rounds, round(ns))
		}
		r.Measurements = append(r.Measurements, m)
	}
}

// judge notes whether a ratio is at least, or at most, what was promised.
func (r *result) judge(what string, measured, required float64, atMost bool) {
	measured = round(measured)
	ok := measured >= required
	if atMost {
		ok = measured <= required
	}
	r.Verdicts = append(r.Verdicts, verdict{r.Experiment, what, measured, required, atMost, ok, ""})
}

// skip notes that a promise was not put to the test.
func (r *result) skip(what string, required float64, atMost bool, why string) {
	r.Verdicts = append(r.Verdicts, verdict{Row: r.Experiment, What: what, Required: required, AtMost: atMost, Skipped: why})
}
