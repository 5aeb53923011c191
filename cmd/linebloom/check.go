package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// checker prints the lines that a filter selects.
type checker struct {
	filter *blocked.Filter // nil: there are no keys
	out    *bufio.Writer
	invert bool // select the lines that are certainly not there
	count  bool // count them instead of printing
	quiet  bool // stop at the first

	selected int64
	batch    [][]byte
	answers  []uint64
}

func newCheck(std streams) *cobra.Command {
	var (
		c    checker
		keys string
		rate float64
	)
	cmd := &cobra.Command{
		Use:   "check --keys FILE [INPUT...]",
		Short: "Print the input lines that may be among a file's lines",
		Long: `Check reads the lines of FILE into a Bloom filter and prints each line of the
INPUTs (standard input if there are none, or for "-") that may be among them.
Every line that is in FILE is printed; of the others about one in 1/RATE is.

Lines may be of any length and hold any bytes but the newline. Like grep, check
exits with 0 if a line was selected, 1 if none was and 2 on an error.`,
		Example: `  linebloom check --keys crawled.txt frontier.txt      # probably seen before
  linebloom check -v --keys crawled.txt frontier.txt   # certainly new
  producer | linebloom check -c --keys leaked.txt      # how many`,
		RunE: func(cmd *cobra.Command, inputs []string) error {
			c.out = bufio.NewWriterSize(std.out, 64<<10)
			return c.run(std, keys, rate, inputs)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&keys, "keys", "f", "", "file of keys, one a line; - is standard input")
	flags.Float64VarP(&rate, "rate", "p", 1e-6, "rate of wrong matches, 1e-8 or more")
	flags.BoolVarP(&c.invert, "invert-match", "v", false, "print the lines that are certainly not there")
	flags.BoolVarP(&c.count, "count", "c", false, "print the number of lines instead of the lines")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing, stop at the first line found")
	cmd.MarkFlagRequired("keys")
	cmd.MarkFlagFilename("keys")
	return cmd
}

func (c *checker) run(std streams, keys string, rate float64, inputs []string) error {
	if keys == "-" && (len(inputs) == 0 || slices.Contains(inputs, "-")) {
		return errors.New("standard input cannot be both keys and input; name a file for one of them")
	}
	if err := c.load(std, keys, rate); err != nil {
		return err
	}
	trouble := false
	var failed error // of the output, after which nothing makes sense
	eachInput(std, inputs, func(err error) {
		trouble = true
		complain(std, err)
	}, func(r io.Reader) (bool, error) {
		var err error
		if err, failed = c.filterLines(r); failed != nil {
			return false, nil
		}
		return !(c.quiet && c.selected > 0), err
	})
	if failed == nil && c.count && !c.quiet {
		fmt.Fprintln(c.out, c.selected)
	}
	if failed == nil {
		failed = c.out.Flush()
	}
	switch {
	case failed != nil:
		return fmt.Errorf("writing the output: %w", failed)
	case c.quiet && c.selected > 0:
		return nil // grep's rule: found is found, whatever else went wrong
	case trouble:
		return exitCode(exitTrouble)
	case c.selected == 0:
		return exitCode(exitNone)
	}
	return nil
}

// load builds the filter from the lines of the named file.
func (c *checker) load(std streams, name string, rate float64) error {
	b, err := blocked.NewBuilder(rate)
	if err != nil {
		return err
	}
	bar := newProgress(std, "reading keys", -1)
	defer bar.finish()
	_, err = withInput(std, name, func(r io.Reader) (bool, error) {
		lines := newLineReader(r)
		for {
			batch, err := lines.next(c.batch)
			if err != nil {
				return false, notEOF(err)
			}
			c.batch = batch
			b.AddKeys(batch)
			bar.add(len(batch))
		}
	})
	if err != nil || b.Len() == 0 {
		return err
	}
	c.filter, err = b.Finish()
	return err
}

// filterLines does one input. It returns the errors of the input and of the
// output.
func (c *checker) filterLines(r io.Reader) (input, output error) {
	lines := newLineReader(r)
	for {
		batch, err := lines.next(c.batch)
		if err != nil {
			return notEOF(err), nil
		}
		c.batch = batch
		c.test(batch)
		for i, line := range batch {
			if c.answers[i/64]>>(i%64)&1 == 1 == c.invert {
				continue
			}
			c.selected++
			if c.quiet {
				return nil, nil
			}
			if !c.count {
				c.out.Write(line)
				c.out.WriteByte('\n')
			}
		}
		// A batch is what one read gave, so a slow stream is answered at once.
		if err := c.out.Flush(); err != nil {
			return nil, err
		}
	}
}

// test sets c.answers for the batch.
func (c *checker) test(batch [][]byte) {
	if words := (len(batch) + 63) / 64; words > len(c.answers) {
		c.answers = make([]uint64, 2*words)
	}
	if c.filter == nil {
		clear(c.answers)
		return
	}
	c.filter.HasKeys(c.answers, batch)
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
