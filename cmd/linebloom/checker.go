package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// A checker prints the lines that filters select.
type checker struct {
	names   []string // of the filters
	filters []keysAsked
	all     bool                // lines that all of them may have, not any
	allow   map[string]struct{} // keys that none of them has

	out    *bufio.Writer
	end    byte // of a line
	label  bool // print the names of the filters that may have the line
	invert bool // select the lines that are certainly not there
	count  bool // count them instead of printing
	quiet  bool // stop at the first

	selected int64
	answers  [][]uint64 // of each filter
	hits     []uint64   // what they come to
	hashes   []uint64   // of a batch, for filters that share them
}

func (c *checker) add(name string, f keysAsked) {
	c.names = append(c.names, name)
	c.filters = append(c.filters, f)
	c.answers = append(c.answers, nil)
}

// addFlags adds the flags that are those of grep.
func (c *checker) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&c.invert, "invert-match", "v", false, "print the lines that are certainly not there")
	flags.BoolVarP(&c.count, "count", "c", false, "print the number of lines instead of the lines")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing, stop at the first line found")
}

// errEnough ends the reading when one line is enough.
var errEnough = errors.New("found")

// answer reads the inputs and prints what is selected.
func (c *checker) answer(ctx context.Context, std streams, format *lineFormat, inputs []string) error {
	c.end = format.end()
	trouble := false
	failed := format.readEach(ctx, std, inputs, func(err error) {
		trouble = true
		complain(std, err)
	}, c.answerBatch)
	if failed == errEnough {
		return nil // grep's rule: found is found, whatever else went wrong
	}
	if failed == nil {
		failed = context.Cause(ctx)
	}
	if failed == nil && c.count && !c.quiet {
		fmt.Fprintln(c.out, c.selected)
		failed = c.flush()
	}
	switch {
	case failed != nil:
		return failed
	case trouble:
		return exitCode(exitTrouble)
	case c.selected == 0:
		return exitCode(exitNone)
	}
	return nil
}

// answerBatch prints the selected lines of a batch.
func (c *checker) answerBatch(lines, keys [][]byte) error {
	c.test(keys)
	for _, f := range c.filters {
		if far, ok := f.(interface{ failure() error }); ok && far.failure() != nil {
			return far.failure()
		}
	}
	for i, line := range lines {
		if bit(c.hits, i) == c.invert {
			continue
		}
		c.selected++
		if c.quiet {
			return errEnough
		}
		if !c.count {
			c.print(i, line)
		}
	}
	// A batch is what one read gave, so a slow stream is answered at once.
	return c.flush()
}

func (c *checker) flush() error {
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

func (c *checker) print(i int, line []byte) {
	if c.label {
		separator := ""
		for f, answers := range c.answers {
			if bit(answers, i) {
				c.out.WriteString(separator + c.names[f])
				separator = ","
			}
		}
		c.out.WriteByte('\t')
	}
	c.out.Write(line)
	c.out.WriteByte(c.end)
}

// test sets c.answers and c.hits for the batch.
func (c *checker) test(keys [][]byte) {
	if words := (len(keys) + 63) / 64; words > len(c.hits) {
		for i := range c.answers {
			c.answers[i] = make([]uint64, 2*words)
		}
		c.hits = make([]uint64, 2*words)
	}
	c.ask(keys)
	copy(c.hits, c.answers[0])
	for _, answers := range c.answers[1:] {
		for i := range c.hits {
			if c.all {
				c.hits[i] &= answers[i]
			} else {
				c.hits[i] |= answers[i]
			}
		}
	}
	if len(c.allow) == 0 {
		return
	}
	for i, key := range keys {
		if !bit(c.hits, i) {
			continue
		}
		if _, known := c.allow[string(key)]; known {
			c.hits[i/64] &^= 1 << (i % 64)
		}
	}
}

// A hashAsked is a filter of this library, which can be given hashes.
type hashAsked interface {
	Params() blocked.Params
	HasHashes(answers []uint64, hashes []uint64) int
}

// ask asks every filter. Filters of one seed share the hashes of the keys.
func (c *checker) ask(keys [][]byte) {
	hashed, seed := false, uint64(0)
	for i, f := range c.filters {
		own, ok := f.(hashAsked)
		if !ok || len(c.filters) == 1 {
			f.HasKeys(c.answers[i], keys)
			continue
		}
		if s := own.Params().Seed; !hashed || s != seed {
			c.hashes = c.hashes[:0]
			for _, key := range keys {
				c.hashes = append(c.hashes, blocked.HashKey(s, key))
			}
			hashed, seed = true, s
		}
		own.HasHashes(c.answers[i], c.hashes)
	}
}

func bit(answers []uint64, i int) bool { return answers[i/64]>>(i%64)&1 == 1 }
