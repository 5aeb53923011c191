package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// merging is a run of the merge command.
type merging struct {
	or, and bool
	path    string
	force   bool
	quiet   bool
}

func newMerge(std streams) *cobra.Command {
	var m merging
	cmd := &cobra.Command{
		Use:   "merge --or|--and -o OUT FILE FILE...",
		Short: "Unite or intersect filter files",
		Long: `Merge makes a filter of all keys of some filters (--or), or of the keys that all
of them may hold (--and), and saves it to OUT.

A union is the filter that adding all keys to one would have made, and its rate
grows with their number. An intersection says yes for every key that is in all
filters; for others its rate is at most that of either, but higher than if only
the common keys had been added.

The filters must have equal size, k and seed: build them with the same
--capacity, --rate and --seed. Merge exits with 0, or with 2 on an error, and no
OUT is made then. It replaces one that exists only with --force; OUT may be one
of the FILEs then.`,
		Example: `  linebloom merge --or -o week.lbf monday.lbf tuesday.lbf
  linebloom merge --or --force -o all.lbf all.lbf today.lbf
  linebloom merge --and -o both.lbf ours.lbf theirs.lbf`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			switch {
			case m.or == m.and:
				return errors.New("say either --or, for the keys of all filters, or --and, for the common ones")
			case len(paths) < 2:
				return errors.New("name at least two filter files to merge")
			}
			ctx, stop := stopOnSignal(cmd.Context())
			defer stop()
			return m.run(ctx, std, paths)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&m.or, "or", false, "unite: the keys of any of them")
	flags.BoolVar(&m.and, "and", false, "intersect: the keys of all of them")
	addOutputFlags(cmd, &m.path, &m.force)
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "do not print what was made")
	return cmd
}

func (m *merging) run(ctx context.Context, std streams, paths []string) error {
	d, err := newDraft(m.path, m.force)
	if err != nil {
		return err
	}
	defer d.discard()
	merged, err := m.merge(ctx, paths)
	if err != nil {
		return err
	}
	var save blocked.Viewer = merged
	if m.and {
		save = intersection{merged}
	}
	if err := d.save(ctx, save); err != nil {
		return err
	}
	if !m.quiet {
		what := summary(merged, math.MaxUint64)
		if m.and { // the number of bits says nothing of its keys
			what = sizeAndRate(merged.Filter)
		}
		fmt.Fprintf(std.err, "%s: %s\n", m.path, what)
		warnOverfull(std, m.path, merged, math.MaxUint64)
	}
	return nil
}

func (m *merging) merge(ctx context.Context, paths []string) (merged sized, err error) {
	for _, path := range paths {
		if ctx.Err() != nil {
			return merged, context.Cause(ctx)
		}
		f, err := openFilter(path, filterfile.Options{})
		if err != nil {
			return merged, err
		}
		err = m.take(&merged, f)
		f.Close()
		if errors.Is(err, blocked.ErrIncompatible) {
			err = fmt.Errorf("%s (%v) and %s (%v) cannot be merged; build both with the same --capacity, --rate and --seed",
				paths[0], merged.Params(), path, f.Header().Params)
		}
		if err != nil {
			return merged, err
		}
	}
	return merged, nil
}

// take merges one more file.
func (m *merging) take(merged *sized, f *filterfile.File) error {
	if merged.Filter == nil {
		first, err := newFilter(f.Params())
		if err != nil {
			return err
		}
		*merged = sized{first, f.Capacity(), f.TargetFPRate()}
		return first.Union(f)
	}
	// The same geometry may have come of other wishes.
	if merged.capacity != f.Capacity() || merged.rate != f.TargetFPRate() {
		merged.capacity, merged.rate = 0, 0
	}
	if m.and {
		return merged.Intersect(f)
	}
	return merged.Union(f)
}

// An intersection is a filter whose number of keys is not known.
type intersection struct{ sized }

func (intersection) Len() (uint64, error) { return 0, blocked.ErrIndeterminateCount }

func (intersection) CountState() blocked.CountState { return blocked.Indeterminate }
