package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

func newDemo(std streams) *cobra.Command {
	var rate float64
	cmd := &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Show what the filter does with the lines of Go source files",
		Long: `Demo reads every line of the Go source files under DIR (the source of the Go
installation if it is not given), adds the distinct lines of one half of the
files to a filter and then tests all lines, of both halves. It knows the truth
from an exact map and prints speeds, false negatives, of which there must be
none, and the false positive rate, predicted and measured.

It exits with 1 if a line that was added is not found, or if more lines are
found wrongly than the rate and the sampling error allow.`,
		Example: `  linebloom demo
  linebloom demo -p 1e-4 ~/src`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return demo(std, args, rate)
		},
	}
	cmd.Flags().Float64VarP(&rate, "rate", "p", 0.01, "false positive rate to ask for")
	return cmd
}

func demo(std streams, args []string, rate float64) error {
	// Bad rates are refused before anything is read.
	if _, err := blocked.ParamsFor(1, rate); err != nil {
		return err
	}
	dir, err := sourceDir(args)
	if err != nil {
		return err
	}
	c, err := readCorpus(std, dir)
	if err != nil {
		return err
	}
	r, err := measure(c, rate)
	if err != nil {
		return err
	}
	if err := r.print(std.out, dir, c); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if verdict := r.verdict(); verdict != "" {
		complain(std, fmt.Errorf("%s", verdict))
		return exitCode(exitNone)
	}
	return nil
}

// result is what a demo saw.
type result struct {
	filter         *blocked.Filter
	target         float64 // false positive rate that was asked for
	predicted      float64
	falsePositives int
	absent         int // distinct lines that were not added
	falseNegatives int
	wrongBatches   int     // answers of a batch that differ from one by one
	add            float64 // keys per second
	oneByOne       float64 // lines per second
	batches        float64 // lines per second
}

// demoBatch is the number of lines that are tested at a time.
const demoBatch = 4096

// rounds is how often each speed is measured; the median counts.
const rounds = 5

func measure(c *corpus, rate float64) (*result, error) {
	filter, err := blocked.New(uint64(len(c.members)), rate)
	if err != nil {
		return nil, err
	}
	r := &result{filter: filter, target: rate, predicted: filter.Params().FPRate(uint64(len(c.members))), absent: c.absent}
	r.add = perSecond(len(c.members), func() {
		filter.Clear()
		filter.AddKeys(c.members)
	})

	single := make([]bool, len(c.lines))
	r.oneByOne = perSecond(len(c.lines), func() {
		for i, line := range c.lines {
			single[i] = filter.Has(line)
		}
	})
	answers := make([]uint64, (len(c.lines)+63)/64)
	r.batches = perSecond(len(c.lines), func() {
		for at := 0; at < len(c.lines); at += demoBatch {
			filter.HasKeys(answers[at/64:], c.lines[at:min(at+demoBatch, len(c.lines))])
		}
	})

	for i, kind := range c.kinds {
		found := answers[i/64]>>(i%64)&1 == 1
		if found != single[i] {
			r.wrongBatches++
		}
		switch {
		case kind == member && !found:
			r.falseNegatives++
		case kind == absentFirst && found:
			r.falsePositives++
		}
	}
	return r, nil
}

// perSecond runs f several times and returns n over the median time of a run.
func perSecond(n int, f func()) float64 {
	var times []float64
	for range rounds {
		start := time.Now()
		f()
		times = append(times, time.Since(start).Seconds())
	}
	slices.Sort(times)
	return float64(n) / times[rounds/2]
}

// measured returns the false positive rate over the distinct absent lines.
func (r *result) measured() float64 {
	return float64(r.falsePositives) / float64(r.absent)
}

// sigma returns the standard error of the measured rate if the true one is p.
func (r *result) sigma(p float64) float64 {
	return math.Sqrt(p * (1 - p) / float64(r.absent))
}

// verdict returns what is wrong, or nothing.
func (r *result) verdict() string {
	switch {
	case r.falseNegatives > 0:
		return fmt.Sprintf("%d lines that were added are not found", r.falseNegatives)
	case r.wrongBatches > 0:
		return fmt.Sprintf("%d answers of batches differ from those of single tests", r.wrongBatches)
	case r.absent > 0 && r.measured() > r.target+4*r.sigma(r.target):
		return fmt.Sprintf("false positive rate is %.4g, %.4g was asked for", r.measured(), r.target)
	}
	return ""
}

func (r *result) print(w io.Writer, dir string, c *corpus) error {
	p := r.filter.Params()
	n := len(c.members)
	measured := "no absent lines to measure it with"
	if r.absent > 0 {
		measured = fmt.Sprintf("%.3g %% +- %.1g (%s of %s absent lines)",
			100*r.measured(), 100*r.sigma(r.predicted), thousands(r.falsePositives), thousands(r.absent))
	}
	_, err := fmt.Fprintf(w, `Go source lines under %s
  input             %s lines of %s files
  keys              %s distinct lines of every other file
  filter            %s bytes, %.2f bits per key, k = %d
  kernel            %s (this CPU has: %s)

  add               %6.1f million keys/s, in batches
  test one by one   %6.1f million lines/s
  test in batches   %6.1f million lines/s

  false negatives   %s
  false positives   predicted %.3g %%, asked for %.3g %%
                    measured  %s
`,
		dir,
		thousands(len(c.lines)), thousands(c.files),
		thousands(n),
		thousands(int(p.Bytes())), float64(8*p.Bytes())/float64(n), p.K,
		asm.Chosen(), kernelNames(", "),
		r.add/1e6, r.oneByOne/1e6, r.batches/1e6,
		thousands(r.falseNegatives),
		100*r.predicted, 100*r.target, measured)
	return err
}

// thousands writes n with a comma before every third digit.
func thousands[T int | uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
