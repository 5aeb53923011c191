package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// factors are what letters behind a number stand for.
type factors map[string]float64

var (
	// countUnits are decimal: 10M keys are ten million.
	countUnits = factors{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

	// byteUnits are those of SI and of IEC. A letter alone is a power of 1024, as
	// in sort -S and in dd.
	byteUnits = factors{
		"": 1, "B": 1,
		"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
		"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	}
)

var errNumber = errors.New("not a number that can be read")

// parse reads a whole number with a unit, 0 to 2^63.
func (f factors) parse(text string) (uint64, error) {
	if n, err := strconv.ParseUint(text, 0, 63); err == nil {
		return n, nil // 0x10 and 1_000 too
	}
	digits := strings.TrimRight(text, "kKMGTiB")
	factor, known := f[text[len(digits):]]
	number, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(digits), "_", ""), 64)
	n := number * factor
	switch {
	case !known:
		return 0, fmt.Errorf("%w: unknown unit %q", errNumber, text[len(digits):])
	case err != nil || !(n >= 0): // nor NaN
		return 0, errNumber
	case n >= 1<<63:
		return 0, fmt.Errorf("%w: too large", errNumber)
	case math.Abs(n-math.Round(n)) > 1e-9*n:
		return 0, fmt.Errorf("%w: not whole", errNumber)
	}
	return uint64(math.Round(n)), nil
}

// parseRate reads a probability: 0.001, 1e-3, 0.1%, 1/1000 or "1 in 1k". Whether
// it is one is for others to say.
func parseRate(text string) (float64, error) {
	if percent, found := strings.CutSuffix(text, "%"); found {
		p, err := parseFloat(percent)
		return p / 100, err
	}
	for _, word := range []string{" in ", "/"} {
		hits, of, found := strings.Cut(text, word)
		if !found {
			continue
		}
		a, err := parseFloat(hits)
		if err != nil {
			return 0, err
		}
		b, err := countUnits.parse(strings.TrimSpace(of))
		if err != nil {
			return 0, err
		}
		return a / float64(b), nil
	}
	return parseFloat(text)
}

func parseFloat(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, errNumber
	}
	return f, nil
}

// A valueFlag is the value of a flag that has a notation of its own.
type valueFlag[T any] struct {
	value *T
	kind  string // for the help
	parse func(string) (T, error)
	text  func(T) string
}

func (v valueFlag[T]) Set(text string) (err error) {
	value, err := v.parse(text)
	if err == nil {
		*v.value = value
	}
	return err
}

func (v valueFlag[T]) String() string {
	if v.value == nil {
		return "" // pflag asks a zero one
	}
	return v.text(*v.value)
}

func (v valueFlag[T]) Type() string { return v.kind }

// countFlag makes n a number of keys, or of other things.
func countFlag(n *uint64, value uint64) pflag.Value {
	*n = value
	return valueFlag[uint64]{n, "count", countUnits.parse, wholeText}
}

// bytesFlag makes n a number of bytes.
func bytesFlag(n *uint64, value uint64) pflag.Value {
	*n = value
	return valueFlag[uint64]{n, "bytes", byteUnits.parse, wholeText}
}

// rateFlag makes p a probability.
func rateFlag(p *float64, value float64) pflag.Value {
	*p = value
	return valueFlag[float64]{p, "rate", parseRate, func(p float64) string { return strconv.FormatFloat(p, 'g', -1, 64) }}
}

func wholeText(n uint64) string { return strconv.FormatUint(n, 10) }

// sizeText writes a number of bytes with a unit.
func sizeText(n uint64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	size, unit := float64(n), "bytes"
	for len(units) > 0 && size >= 1024 {
		size, unit, units = size/1024, units[0], units[1:]
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.4g %s", size, unit)
}

// oneIn writes a rate as one wrong answer in so many.
func oneIn(p float64) string {
	if !(p > 0) || 1/p >= 1<<53 {
		return "none"
	}
	return "1 in " + thousands(uint64(math.Round(1/p)))
}
