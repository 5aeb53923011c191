package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"
)

// auditing is a run of the audit command.
type auditing struct {
	opening
	format lineFormat
	absent []string
	asJSON bool
	quiet  bool
}

// verdictOnRate is what an audit finds.
type verdictOnRate struct {
	File          string  `json:"file"`
	Lines         uint64  `json:"lines"`
	Wrong         uint64  `json:"wrong"`
	MeasuredRate  float64 `json:"measured_rate"`
	StandardError float64 `json:"standard_error"` // of it, if the predicted one is true
	PredictedRate float64 `json:"predicted_rate"`
	MoreThanRate  bool    `json:"more_than_chance"`
}

func newAudit(std streams) *cobra.Command {
	var a auditing
	cmd := &cobra.Command{
		Use:   "audit FILE --absent GOOD",
		Short: "List the lines that a filter takes for its keys wrongly",
		Long: `Audit asks the filter in FILE for the lines of GOOD, of which the user knows
that none is a key, and prints the keys of those that the filter takes for its
own: the exceptions that check --allow reads. GOOD may be compressed; - is
standard input. See help inputs for fields and so on.

On standard error it tells how many they are, the rate that was measured with
its standard error, and the rate that the filter should have as it is filled. If
there are far more than chance explains, some of the lines are keys after all.

It exits with 0 if there are exceptions, 1 if there are none and 2 on an error.
With --json it prints the numbers and not the keys.`,
		Example: `  linebloom audit leaked.lbf --absent allowed.txt >exceptions.txt
  linebloom check --allow exceptions.txt leaked.lbf passwords.txt
  linebloom audit --json leaked.lbf --absent allowed.txt | jq .measured_rate`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return errors.New("name one filter file")
			case len(a.absent) == 0:
				return errors.New("name a file of lines that are not in the filter: --absent GOOD")
			}
			if err := a.format.check(cmd); err != nil {
				return err
			}
			return a.run(std, args[0])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&a.absent, "absent", nil, "`FILE` of lines that are not keys, also several times")
	flags.BoolVar(&a.asJSON, "json", false, "print the numbers as JSON, not the exceptions")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "do not tell the numbers on standard error")
	a.format.addFlags(cmd)
	a.opening.addFlags(cmd)
	cmd.MarkFlagFilename("absent")
	return cmd
}

func (a *auditing) run(std streams, path string) error {
	if err := notAnInput(path, a.absent); err != nil {
		return err
	}
	f, finish, err := a.open(std, path)
	if err != nil {
		return err
	}
	defer finish()
	out := bufio.NewWriterSize(std.out, 64<<10)
	v := verdictOnRate{File: path}
	trouble := false
	err = a.readLines(std, f, &v, out, func(err error) {
		trouble = true
		complain(std, err)
	})
	if err == nil {
		v.judge(f.EstimateFPRate())
		if a.asJSON {
			err = printJSON(out, v)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if !a.quiet && !a.asJSON {
		fmt.Fprintln(std.err, v)
	}
	if !a.quiet && v.MoreThanRate {
		complain(std, fmt.Errorf("%s takes more of the lines for keys than chance explains; some of them may be keys", path))
	}
	switch {
	case trouble:
		return exitCode(exitTrouble)
	case v.Wrong == 0:
		return exitCode(exitNone)
	}
	return nil
}

// readLines asks for all lines and writes the keys that are found.
func (a *auditing) readLines(std streams, f asked, v *verdictOnRate, out *bufio.Writer, complain func(error)) error {
	var answers []uint64
	bar := newProgress(std, "asking for lines", -1)
	defer bar.finish()
	return a.format.readEach(context.Background(), std, a.absent, complain, func(_, keys [][]byte) error {
		if words := (len(keys) + 63) / 64; words > len(answers) {
			answers = make([]uint64, 2*words)
		}
		v.Lines += uint64(len(keys))
		v.Wrong += uint64(f.HasKeys(answers, keys))
		bar.add(len(keys))
		if a.asJSON {
			return nil
		}
		for i, key := range keys {
			if bit(answers, i) {
				out.Write(key)
				out.WriteByte(a.format.end())
			}
		}
		return out.Flush()
	})
}

// judge compares what was counted with the rate that the filter should have.
func (v *verdictOnRate) judge(predicted float64) {
	v.PredictedRate = predicted
	if v.Lines == 0 {
		return
	}
	n := float64(v.Lines)
	v.MeasuredRate = float64(v.Wrong) / n
	v.StandardError = math.Sqrt(predicted * (1 - predicted) / n)
	// Four standard errors, and four lines where few or none are expected.
	v.MoreThanRate = float64(v.Wrong) > n*(predicted+4*v.StandardError)+4
}

func (v verdictOnRate) String() string {
	if v.Lines == 0 {
		return v.File + ": there are no lines to measure the rate with"
	}
	return fmt.Sprintf("%s: %s of %s lines are wrong: rate %.3g +- %.1g, expected %.3g",
		v.File, thousands(v.Wrong), thousands(v.Lines), v.MeasuredRate, v.StandardError, v.PredictedRate)
}

// printJSON prints an object as the commands do.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
