package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// A keySet is a filter that is asked about lines.
type keySet interface {
	HasKeys(answers []uint64, batch [][]byte) int
}

// checker prints the lines that a filter selects.
type checker struct {
	filter keySet // nil: there are no keys
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
		opts filterfile.Options
	)
	cmd := &cobra.Command{
		Use:   "check {FILE | --keys KEYS} [INPUT...]",
		Short: "Print the input lines that may be in a filter or a text file",
		Long: `Check prints each line of the INPUTs (standard input if there are none, or for
"-") that may be among the keys of the filter in FILE, which build, add and
merge make, or among the lines of the text file KEYS, which it reads into a
filter first. Every line that is a key is printed; of the others about one in
1/RATE is.

Lines may be of any length and hold any bytes but the newline. Like grep, check
exits with 0 if a line was selected, 1 if none was and 2 on an error.

Every byte of FILE is verified before it is used. With --degraded a damaged one
can be used too: each line that falls into a damaged part may be a key then.
With --in-use one that others have open for adding can be used; check sees what
they add, and cannot verify it.`,
		Example: `  linebloom check seen.lbf frontier.txt                # probably seen before
  linebloom check -v --keys crawled.txt frontier.txt   # certainly new
  producer | linebloom check -c --keys leaked.txt      # how many`,
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := cmd.Flags().Changed
			c.out = bufio.NewWriterSize(std.out, 64<<10)
			switch {
			case changed("keys") && (changed("degraded") || changed("in-use")):
				return errors.New("--degraded and --in-use are for filter files, not for --keys")
			case changed("keys"):
				return c.runKeys(std, keys, rate, args)
			case len(args) == 0:
				return errors.New("name a filter file, or a text file of keys with --keys FILE")
			case changed("rate"):
				return errors.New("--rate is for --keys; a filter file has got its rate already")
			}
			return c.runFile(std, args[0], opts, args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&keys, "keys", "f", "", "text file of keys, one a line; - is standard input")
	flags.Float64VarP(&rate, "rate", "p", 1e-6, "with --keys: rate of wrong matches")
	flags.BoolVarP(&c.invert, "invert-match", "v", false, "print the lines that are certainly not there")
	flags.BoolVarP(&c.count, "count", "c", false, "print the number of lines instead of the lines")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing, stop at the first line found")
	flags.BoolVar(&opts.Degraded, "degraded", false, "use a damaged filter file too")
	flags.BoolVar(&opts.InUse, "in-use", false, "use a filter file that others add to, too")
	cmd.MarkFlagFilename("keys")
	return cmd
}

// runKeys answers from the lines of a text file.
func (c *checker) runKeys(std streams, keys string, rate float64, inputs []string) error {
	if keys == "-" && (len(inputs) == 0 || slices.Contains(inputs, "-")) {
		return errors.New("standard input cannot be both keys and input; name a file for one of them")
	}
	if err := c.load(std, keys, rate); err != nil {
		return err
	}
	return c.answer(std, inputs)
}

// runFile answers from a filter file.
func (c *checker) runFile(std streams, path string, opts filterfile.Options, inputs []string) error {
	if err := notAnInput(path, inputs); err != nil {
		return err
	}
	f, err := openFilter(path, opts)
	switch {
	case errors.Is(err, errNotFilter):
		return fmt.Errorf("%w; --keys %s asks the lines of a text file", err, path)
	case errors.Is(err, blocked.ErrCorrupt) && !opts.Degraded:
		opts.Degraded = true
		if f, e := openFilter(path, opts); e == nil {
			f.Close()
			return fmt.Errorf("%w; --degraded uses what is whole of it", err)
		}
		return err
	case errors.Is(err, blocked.ErrUnclean):
		return fmt.Errorf("%w; --in-use uses it unverified", err)
	case err != nil:
		return err
	}
	defer f.Close()
	if err := f.Err(); err != nil {
		complain(std, fmt.Errorf("%s: %w", path, err))
	}
	c.filter = f
	return c.answer(std, inputs)
}

func (c *checker) answer(std streams, inputs []string) error {
	trouble := false
	var failed error // of the output, after which nothing makes sense
	eachInput(context.Background(), std, inputs, func(err error) {
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
	_, err = withInput(context.Background(), std, name, func(r io.Reader) (bool, error) {
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
	f, err := b.Finish()
	if err != nil {
		return err
	}
	c.filter = f
	return nil
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
