//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"os"

	"github.com/linebloom/linebloom/filterfile"
)

// A state remembers lines in files that several processes add to, and that grow:
// FILE, FILE.1, FILE.2 and so on are shared filters. A line is remembered when two
// entries, its two hashes, are in any of them; new entries go to the last.
//
// # Each line is new to one process
//
// Of all processes that claim one entry at most one is told that it is new, by
// TestAndAdd. Who is told so of both entries of a line prints it, and who is told so
// of none does not. If two processes get one each, or one entry was there by chance,
// a third entry decides.
//
// That holds among processes that see the same files. So every process holds the
// lock file shared while it claims, and who makes another file holds it alone.
//
// # No line is lost
//
// A process that is killed has remembered lines that it has not printed. It wrote
// their hashes to its journal before, which the next process finds, see journal.
type state struct {
	path  string
	rate  float64 // of all entries together
	lock  *os.File
	files []*filterfile.Shared // oldest first
	journal
	hits, some []uint64
	fresh      uint64
}

const (
	// stateEntries is the capacity of the first file; each file has stateGrowth times
	// that of the one before, and half of the rate, so that the rates of all that may
	// come are stateRate of all.
	stateEntries = 1 << 19
	stateGrowth  = 4

	// stateBatch is how many lines are claimed under one lock, and stateSlack the
	// share of a file that is kept free for those whom it takes beyond.
	stateBatch = 2048
	stateSlack = 8
)

// entryRateFor returns the rate of an entry so that a line is dropped with
// probability p: when both of its entries are there by chance, or one and the third.
func entryRateFor(p float64) float64 { return math.Sqrt(p / 3) }

func (d *deduping) runState(ctx context.Context, std streams, inputs []string) (err error) {
	ctx, stop := stopOnSignal(ctx)
	defer stop()
	if err := notAnInput(d.state, inputs); err != nil {
		return err
	}
	s, err := openState(d.state, entryRateFor(d.rate))
	if err != nil {
		return err
	}
	err = d.stream(ctx, std, inputs, s)
	d.tally.Wrongly = float64(s.fresh) * d.rate
	for _, f := range s.files {
		d.tally.MemoryBytes += f.Params().Bytes()
	}
	if err := s.close(); err != nil {
		return err
	}
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("%w; %s was closed, what was printed is in it", context.Cause(ctx), d.state)
	}
	return err
}

func openState(path string, rate float64) (_ *state, err error) {
	if path == "" || path == "-" {
		return nil, errors.New("--state needs the name of a file")
	}
	s := &state{path: path, rate: rate}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.lock, err = os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err := s.alone(s.openAll); err != nil {
		return nil, err
	}
	// Files made for another rate would drop more lines than was asked for.
	if was := 2 * s.files[0].TargetFPRate(); was > rate*1.001 {
		return nil, fmt.Errorf("%s was made with --rate %.2g; say that, or use another file", path, 3*was*was)
	}
	return s, nil
}

// openAll opens what others have left, or makes the first file.
func (s *state) openAll() error {
	if err := s.openFiles(); err != nil {
		return err
	}
	if len(s.files) == 0 {
		if err := s.addFile(); err != nil {
			return err
		}
	}
	return s.journal.open(s.path)
}

func (s *state) name(i int) string {
	if i == 0 {
		return s.path
	}
	return fmt.Sprintf("%s.%d", s.path, i)
}

// alone calls f while no other process claims lines.
func (s *state) alone(f func() error) error {
	return locked(s.lock, exclusive, f)
}

// openFiles opens the files that others have made.
func (s *state) openFiles() error {
	for {
		name := s.name(len(s.files))
		f, err := filterfile.OpenShared(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return explain(name, err)
		}
		s.files = append(s.files, f)
	}
}

// addFile makes another file. The lock is held.
func (s *state) addFile() error {
	capacity, rate := uint64(stateEntries), s.rate/2
	if n := len(s.files); n > 0 {
		last := s.files[n-1]
		capacity, rate = last.Capacity()*stateGrowth, last.TargetFPRate()/2
	}
	f, err := filterfile.Create(s.name(len(s.files)), capacity, rate)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	return nil
}

func (s *state) claim(b *hashedBatch, fresh []bool) error {
	for at := 0; at < len(fresh); at += stateBatch {
		n := min(stateBatch, len(fresh)-at)
		if err := s.claimSome(b.hashes[2*at:][:2*n], fresh[at:][:n]); err != nil {
			return err
		}
	}
	return nil
}

// claimSome claims a few lines, by their pairs of hashes.
func (s *state) claimSome(hashes []uint64, fresh []bool) error {
	full := false
	err := locked(s.lock, shared, func() error {
		if err := s.openFiles(); err != nil {
			return err
		}
		s.test(hashes)
		if err := s.journal.write(s.absent(hashes)); err != nil {
			return err
		}
		last := s.files[len(s.files)-1]
		for i := range fresh {
			pair := [2]uint64(hashes[2*i:])
			if !(bit(s.hits, 2*i) && bit(s.hits, 2*i+1)) {
				fresh[i] = s.claimOne(last, pair, bit(s.hits, 2*i), bit(s.hits, 2*i+1))
			}
			if s.journal.forgive(pair) { // a process that died may not have printed it
				fresh[i] = true
			}
			if fresh[i] {
				s.fresh++
			}
		}
		n, _ := last.Len()
		full = n >= last.Capacity()-last.Capacity()/stateSlack
		return nil
	})
	if err != nil || !full {
		return err
	}
	return s.alone(func() error {
		had := len(s.files)
		if err := s.openFiles(); err != nil || len(s.files) > had {
			return err
		}
		return s.addFile()
	})
}

// test looks for entries in all files.
func (s *state) test(hashes []uint64) {
	words := (len(hashes) + 63) / 64
	s.hits = append(s.hits[:0], make([]uint64, words)...)
	s.some = append(s.some[:0], make([]uint64, words)...)
	for _, f := range s.files {
		f.HasHashes(s.some, hashes)
		for w, x := range s.some {
			s.hits[w] |= x
		}
	}
}

// absent returns the pairs of which an entry is not there.
func (s *state) absent(hashes []uint64) (pairs []uint64) {
	for i := 0; i < len(hashes); i += 2 {
		if !bit(s.hits, i) || !bit(s.hits, i+1) || s.journal.has([2]uint64(hashes[i:])) {
			pairs = append(pairs, hashes[i], hashes[i+1])
		}
	}
	return pairs
}

// claimOne claims a line of which an entry was not there, and reports whether it is
// new to all processes.
func (s *state) claimOne(last *filterfile.Shared, pair [2]uint64, first, second bool) bool {
	first = first || last.TestAndAddHash(pair[0])
	second = second || last.TestAndAddHash(pair[1])
	if first == second {
		return !first
	}
	third := pair[0] ^ bits.RotateLeft64(pair[1], 32) // both hashes are random
	for _, f := range s.files[:len(s.files)-1] {
		if f.HasHash(third) {
			return false
		}
	}
	return !last.TestAndAddHash(third)
}

// close syncs and closes the files. What was claimed has been printed.
func (s *state) close() error {
	return errors.Join(s.journal.close(), s.closeFiles())
}

func (s *state) closeFiles() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}
