package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// adding is a run of the add command.
type adding struct {
	create   bool
	capacity uint64
	rate     float64
	format   lineFormat
	quiet    bool

	fresh, repeated uint64
}

func newAdd(std streams) *cobra.Command {
	var a adding
	cmd := &cobra.Command{
		Use:   "add FILE [INPUT...]",
		Short: "Add input lines to a filter file",
		Long: `Add adds the lines of the INPUTs (standard input if there are none, or for "-")
to the filter in FILE, and tells how many were new and how many were probably
there before. Any number of processes may add to one file at the same time; a
line that several of them add is new for one.

FILE is changed in place. Nothing is lost when the process dies; a crash of the
system may take what was added since FILE was opened. The last process that
closes it writes its checksums, and until then check refuses it. On Ctrl-C (exit
code 130) add closes it as it does at the end.

With --create FILE is made if there is none; one that exists keeps its size. Add
exits with 0, or with 2 if an input or FILE could not be read or written; the
lines of the other inputs are added then.`,
		Example: `  linebloom add seen.lbf today.txt
  crawler | linebloom add --create -n 50M -p 1e-4 seen.lbf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := cmd.Flags().Changed
			switch {
			case len(args) == 0:
				return errors.New("name the filter file to add to")
			case !a.create && (changed("capacity") || changed("rate")):
				return errors.New("--capacity and --rate are for --create; a filter file has got its size already")
			case a.create && a.capacity == 0:
				return errors.New("--create needs the number of keys to make the filter for: --capacity N")
			}
			if err := a.format.check(cmd); err != nil {
				return err
			}
			ctx, stop := stopOnSignal(cmd.Context())
			defer stop()
			return a.run(ctx, std, args[0], args[1:])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&a.create, "create", false, "make FILE if there is none")
	flags.VarP(countFlag(&a.capacity, 0), "capacity", "n", "with --create: number of distinct keys")
	flags.VarP(rateFlag(&a.rate, defaultRate), "rate", "p", "with --create: false positive rate")
	a.format.addFlags(cmd)
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "do not print the numbers")
	return cmd
}

func (a *adding) run(ctx context.Context, std streams, path string, inputs []string) error {
	if err := notAnInput(path, inputs); err != nil {
		return err
	}
	s, err := a.open(path)
	if err != nil {
		return err
	}
	if s.Unclean() {
		complain(std, fmt.Errorf("%s was not closed by those who added to it; its count of keys may be too low now", path))
	}
	trouble := a.addAll(ctx, std, s, inputs)
	overfull := overfullness(s, path)
	if err := s.Close(); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(std.err, "%s: %s new, %s probably there before\n", path, thousands(a.fresh), thousands(a.repeated))
		if overfull != nil {
			complain(std, overfull)
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w; %s was closed, what was read before is in it", context.Cause(ctx), path)
	case trouble:
		return exitCode(exitTrouble)
	}
	return nil
}

// open opens the file, or makes it.
func (a *adding) open(path string) (*filterfile.Shared, error) {
	if a.create && path != "-" {
		s, err := filterfile.Create(path, a.capacity, a.rate)
		if !errors.Is(err, fs.ErrExist) {
			return s, err
		}
	}
	if err := checkFilterPath(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) && !a.create {
			return nil, fmt.Errorf("%w; --create -n N makes it, for N keys", err)
		}
		return nil, err
	}
	s, err := filterfile.OpenShared(path)
	if err != nil {
		return nil, explain(path, err)
	}
	return s, nil
}

// overfullness tells of a file that holds more keys than it was made for.
func overfullness(s *filterfile.Shared, path string) error {
	if n, err := s.Len(); err != nil || s.Capacity() == 0 || n <= s.Capacity() {
		return nil
	}
	return fmt.Errorf("%s holds more keys than the %s it was made for, at a rate of %.3g",
		path, thousands(s.Capacity()), s.EstimateFPRate())
}

// addAll adds all inputs that can be read, and reports whether others could not.
func (a *adding) addAll(ctx context.Context, std streams, s *filterfile.Shared, inputs []string) (trouble bool) {
	bar := newProgress(std, "adding lines", -1)
	defer bar.finish()
	a.format.readEach(ctx, std, inputs, func(err error) {
		trouble = true
		complain(std, err)
	}, func(_, keys [][]byte) error {
		for _, key := range keys {
			if s.TestAndAdd(key) {
				a.repeated++
			} else {
				a.fresh++
			}
		}
		bar.add(len(keys))
		return nil
	})
	return trouble
}
