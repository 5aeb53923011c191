package main

import (
	"context"
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// building is a run of the build command.
type building struct {
	sizing
	format lineFormat
	path   string
	force  bool
	quiet  bool

	filter sized    // made first if the capacity is known
	hashes []uint64 // or else collected for it
	lines  uint64
}

func newBuild(std streams) *cobra.Command {
	var b building
	cmd := &cobra.Command{
		Use:   "build -o FILE [INPUT...]",
		Short: "Make a filter file of input lines",
		Long: `Build makes a filter of the lines of the INPUTs (standard input if there are
none, or for "-") and saves it to FILE, for check, add and merge.

Without --capacity the filter is sized for the number of lines, which needs
8 bytes of memory per line until the end of the input. A line that repeats the
one before it is not counted; other repetitions make the filter larger than it
need be, so pipe the input through sort -u, or give --capacity. With it the
filter is made first and filled while reading. More keys than that can be added,
at a growing rate. Only filters of equal capacity, rate and seed can be merged.

A rate of 0.001, the default, needs 16 bits per key, 0.01 needs 10 and 1e-6 39.

FILE appears when it is complete. If an input cannot be read, or on Ctrl-C (exit
code 130), there is none, nor a part of it. What FILE was before stays until it
is replaced, which needs --force. Build exits with 0, or with 2 on an error.`,
		Example: `  linebloom build -o seen.lbf crawled.txt
  linebloom build -o seen.lbf -n 50M -p 1e-4 monday.gz tuesday.zst
  linebloom build -o users.lbf -f 2 -t , users.csv   # the second field
  linebloom build -o small.lbf --bits 8 crawled.txt  # the best rate for 8 bits`,
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if err := b.sizing.check(cmd); err != nil {
				return err
			}
			if err := b.format.check(cmd); err != nil {
				return err
			}
			ctx, stop := stopOnSignal(cmd.Context())
			defer stop()
			return b.run(ctx, std, inputs)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addOutputFlags(cmd, &b.path, &b.force)
	b.sizing.addFlags(cmd)
	b.format.addFlags(cmd)
	flags.BoolVarP(&b.quiet, "quiet", "q", false, "do not print what was made")
	return cmd
}

func (b *building) run(ctx context.Context, std streams, inputs []string) error {
	d, err := newDraft(b.path, b.force)
	if err != nil {
		return err
	}
	defer d.discard()
	if err := notAnInput(b.path, inputs); err != nil {
		return err
	}
	if b.capacity > 0 {
		if b.filter, err = b.sizing.filter(b.capacity); err != nil {
			return err
		}
	}
	if err = b.read(ctx, std, inputs); err == nil {
		err = b.finish()
	}
	if err == nil {
		err = d.save(ctx, b.filter)
	}
	if err != nil {
		return fmt.Errorf("%w; no filter was saved", err)
	}
	if !b.quiet {
		fmt.Fprintf(std.err, "%s: %s lines, %s\n", b.path, thousands(b.lines), summary(b.filter, b.lines))
		warnOverfull(std, b.path, b.filter, b.lines)
	}
	return nil
}

// read reads all inputs, and stops at the first that fails: a filter without its
// lines would call them new.
func (b *building) read(ctx context.Context, std streams, inputs []string) error {
	bar := newProgress(std, "reading keys", -1)
	defer bar.finish()
	if len(inputs) == 0 {
		inputs = []string{"-"}
	}
	for _, name := range inputs {
		err, _ := b.format.read(ctx, std, name, func(_, keys [][]byte) error {
			b.add(keys)
			bar.add(len(keys))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *building) add(keys [][]byte) {
	b.lines += uint64(len(keys))
	if b.capacity > 0 {
		b.filter.AddKeys(keys)
		return
	}
	for _, key := range keys {
		h := blocked.HashKey(b.seed, key)
		if n := len(b.hashes); n == 0 || b.hashes[n-1] != h {
			b.hashes = append(b.hashes, h)
		}
	}
}

// finish makes the filter of the collected hashes.
func (b *building) finish() (err error) {
	if b.capacity > 0 {
		return nil
	}
	if b.filter, err = b.sizing.filter(uint64(len(b.hashes))); err != nil {
		return err
	}
	b.filter.AddHashesParallel(b.hashes, 0)
	b.hashes = nil
	return nil
}
