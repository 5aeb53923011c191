package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// deduping is a run of the dedup command.
type deduping struct {
	rate    float64
	repeats bool   // print the repeated lines and no others
	exact   bool   // no line is dropped wrongly
	memory  uint64 // for the filter, or in exact mode for all
	state   string // file of the lines of earlier runs
	stats   bool
	json    bool
	format  lineFormat

	out    output
	tally  tally
	fresh  []bool // of a batch
	broken bool   // an input could not be read
}

// A tally is what --stats prints.
type tally struct {
	In          uint64  `json:"lines_in"`
	Out         uint64  `json:"lines_out"`
	Dropped     uint64  `json:"lines_dropped"`
	Wrongly     float64 `json:"expected_dropped_wrongly"`
	MemoryBytes uint64  `json:"filter_bytes"`
}

func newDedup(std streams) *cobra.Command {
	var d deduping
	cmd := &cobra.Command{
		Use:   "dedup [INPUT...]",
		Short: "Print each line the first time it is seen, in order",
		Long: `Dedup prints the lines of the INPUTs (standard input if there are none, or for
"-") that it has not printed yet, in their order and as they come. Lines may be
of any length and hold any bytes; a last line without a newline stays so.

It remembers lines in a filter that grows with them, 10 to 30 bytes for each
different line however long that is. The price is that a line which was not
there before is dropped with probability RATE, one in a billion if you do not
say; --stats tells how many are to be expected. --exact drops none: it keeps the
lines in temporary files (in TMPDIR), compares suspects byte by byte, and prints
when all is read; its memory is bounded by --memory.

With --state lines are remembered in FILE, and others beside it, from run to
run. Several processes may use one FILE at the same time; a line that several of
them read is printed by one. When a process is killed no line is lost, but some
of its last ones may be printed again by the next run that reads them.

Dedup exits with 0 if a line was printed, 1 if none was and 2 on an error.`,
		Example: `  cat *.log | linebloom dedup
  linebloom dedup -f 3 -t , orders.csv          # by the third field
  linebloom dedup -d urls.gz                    # the repeated lines
  crawler | linebloom dedup --state seen.lbf    # new since the first run
  linebloom dedup --exact --memory 1GiB huge.zst`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := d.check(cmd); err != nil {
				return err
			}
			return d.run(cmd, std, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(rateFlag(&d.rate, 1e-9), "rate", "p", "probability that a new line is\ndropped")
	flags.BoolVarP(&d.repeats, "repeated", "d", false, "print only the repetitions of lines")
	flags.BoolVar(&d.exact, "exact", false, "drop no line wrongly; needs room in TMPDIR")
	flags.Var(bytesFlag(&d.memory, 0), "memory", "most memory of the filter; if it needs more, an\nerror; with --exact it is slower then, and the\ndefault is 256 MiB")
	flags.StringVar(&d.state, "state", "", "`FILE` of the lines of earlier runs, made if needed")
	flags.BoolVar(&d.stats, "stats", false, "print numbers to standard error at the end")
	flags.BoolVar(&d.json, "json", false, "print them as JSON")
	d.format.addFlags(cmd)
	cmd.MarkFlagFilename("state")
	return cmd
}

// minPairRate and the rates of entries: a line is two entries in one filter, whose
// hashes are independent, so that it is taken for another with the square of the
// rate of an entry. That reaches rates that one entry cannot: the bits of a key in
// a block are chosen by 32 bits of its hash.
const minPairRate = 1e-12

func (d *deduping) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case !(d.rate >= minPairRate && d.rate < 1): // also refuses NaN
		return fmt.Errorf("--rate is %g, want %g to 1", d.rate, minPairRate)
	case d.exact && changed("rate"):
		return errors.New("--exact drops nothing wrongly; --rate is for what it does without")
	case d.exact && d.state != "":
		return errors.New("--exact compares lines and --state keeps none; say one of them")
	case d.state != "" && changed("memory"):
		return errors.New("--memory is not for --state, whose files lie on disk")
	case d.json:
		d.stats = true
	}
	return d.format.check(cmd)
}

func (d *deduping) run(cmd *cobra.Command, std streams, inputs []string) error {
	// Nearly all memory is the filter, in pieces of which none is given up: the
	// collector would let garbage grow to the same size again.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	d.out = output{w: std.out, what: "the output", end: d.format.end()}
	var err error
	switch {
	case d.exact:
		err = d.runExact(cmd.Context(), std, inputs)
	case d.state != "":
		err = d.runState(cmd.Context(), std, inputs)
	default:
		var s *seenLines
		if s, err = newSeenLines(math.Sqrt(d.rate), d.memory, d.stats); err == nil {
			err = d.stream(cmd.Context(), std, inputs, s)
			d.tally.Wrongly, d.tally.MemoryBytes = s.wrongly(), s.filter.Bytes()
		}
	}
	if err != nil {
		return err
	}
	if d.stats {
		if err := d.printStats(std); err != nil {
			return err
		}
	}
	switch {
	case d.broken:
		return exitCode(exitTrouble)
	case d.tally.Out == 0:
		return exitCode(exitNone)
	}
	return nil
}

// A seen remembers lines. claim tells which lines of a batch are seen for the first
// time, by fresh[i] of line i, and remembers them. printed tells that they have been
// printed.
type seen interface {
	claim(b *hashedBatch, fresh []bool) error
	printed() error
}

// stream prints lines as they come.
func (d *deduping) stream(ctx context.Context, std streams, inputs []string, s seen) error {
	return d.format.hashEach(ctx, std, inputs, d.complain(std), func(b *hashedBatch) error {
		d.fresh = append(d.fresh[:0], make([]bool, len(b.lines))...)
		if err := s.claim(b, d.fresh); err != nil {
			return err
		}
		for i, fresh := range d.fresh {
			if fresh != d.repeats {
				d.out.add(b.line(i))
				d.tally.Out++
			}
		}
		d.tally.In += uint64(len(b.lines))
		if err := d.out.flush(); err != nil {
			return err
		}
		return s.printed()
	})
}

func (d *deduping) complain(std streams) func(error) {
	return func(err error) {
		d.broken = true
		complain(std, err)
	}
}

func (d *deduping) printStats(std streams) error {
	d.tally.Dropped = d.tally.In - d.tally.Out
	if d.json {
		return json.NewEncoder(std.err).Encode(d.tally)
	}
	wrongly := fmt.Sprintf("%.2g", d.tally.Wrongly)
	if d.exact {
		wrongly = "none"
	}
	_, err := fmt.Fprintf(std.err, "lines in    %s\nlines out   %s\ndropped     %s, of which wrongly, as expected: %s\nfilter      %s\n",
		thousands(d.tally.In), thousands(d.tally.Out), thousands(d.tally.Dropped), wrongly, sizeText(d.tally.MemoryBytes))
	return err
}
