package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/cmd/linebloom/internal/foreign"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// An asked is a filter that lines are asked of.
type asked interface {
	keysAsked
	EstimateFPRate() float64
}

// keysAsked is what check needs of a filter.
type keysAsked interface {
	HasKeys(answers []uint64, keys [][]byte) int
}

// nothing is a filter without keys, and needs no memory.
type nothing struct{}

func (nothing) HasKeys(answers []uint64, keys [][]byte) int {
	clear(answers[:(len(keys)+63)/64])
	return 0
}

func (nothing) EstimateFPRate() float64 { return 0 }

// opening is how a command opens the filters that it asks.
type opening struct {
	filterfile.Options
	hash string // of filters of pybloomfiltermmap
}

func (o *opening) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.Degraded, "degraded", false, "use a damaged filter file too")
	flags.BoolVar(&o.InUse, "in-use", false, "use a filter file that others add to, too")
	addHashFlag(cmd, &o.hash)
}

func addHashFlag(cmd *cobra.Command, hash *string) {
	cmd.Flags().StringVar(hash, "hash", "", "`NAME` of the hash of a pybloom filter, see help formats")
	cmd.RegisterFlagCompletionFunc("hash", cobra.FixedCompletions(foreign.Hashes(), cobra.ShellCompDirectiveNoFileComp))
}

// open opens a filter file of any kind. The function that it returns closes it.
func (o *opening) open(std streams, path string) (asked, func(), error) {
	f, err := openFilter(path, o.Options)
	switch {
	case errors.Is(err, errNotFilter):
		other, err := o.openForeign(path, err)
		return other, func() {}, err
	case errors.Is(err, blocked.ErrCorrupt) && !o.Degraded:
		degraded := o.Options
		degraded.Degraded = true
		if f, e := openFilter(path, degraded); e == nil {
			f.Close()
			return nil, nil, fmt.Errorf("%w; --degraded uses what is whole of it", err)
		}
		return nil, nil, err
	case errors.Is(err, blocked.ErrUnclean):
		return nil, nil, fmt.Errorf("%w; --in-use uses it unverified", err)
	case err != nil:
		return nil, nil, err
	}
	if err := f.Err(); err != nil {
		complain(std, fmt.Errorf("%s: %w", path, err))
	}
	return f, func() { f.Close() }, nil
}

// openForeign opens a filter of another program that can be asked. unknown is the
// error if it is none.
func (o *opening) openForeign(path string, unknown error) (*foreign.Filter, error) {
	f, err := readForeign(path, unknown)
	if err == nil && o.hash != "" && o.hash != f.Hash() {
		if f.Hash() != "" {
			return nil, fmt.Errorf("%s was filled with the hash %s, not with %s; leave --hash out", path, f.Hash(), o.hash)
		}
		err = f.SetHash(o.hash)
	}
	if err == nil && f.Hash() == "" {
		err = fmt.Errorf("%s: %w; say --hash %s, or let linebloom import --probe WORD find it",
			path, foreign.ErrNoHash, strings.Join(foreign.Hashes(), "|"))
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readForeign reads a filter of another program.
func readForeign(path string, unknown error) (*foreign.Filter, error) {
	f, err := foreign.Open(path, foreign.Options{MaxBytes: machineMemory()})
	if errors.Is(err, foreign.ErrUnknown) {
		return nil, unknown
	}
	return f, err
}

// checkFilterPath refuses what cannot be a filter file before it is opened, which
// a named pipe would wait for.
func checkFilterPath(path string) error {
	if path == "-" {
		return errors.New("a filter cannot come from standard input; name its file")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory, not a filter file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file, and so no filter file", path)
	}
	return nil
}
