package pebble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// keyOf appends key i of those that are stored, or of those that are not. Both
// are scattered over the key space, so that every table is asked for both, and
// have nothing in common that a weak hash could stumble over.
func keyOf(dst []byte, i uint64, stored bool) []byte {
	x := i << 1
	if stored {
		x |= 1
	}
	x = (x + 1) * 0x9E3779B97F4A7C15 // SplitMix64, which is one to one
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return binary.BigEndian.AppendUint64(append(dst, "user/"...), x^x>>31)
}

// fewer returns n, or a part of it in a short test.
func fewer(n, short uint64) uint64 {
	if testing.Short() {
		return short
	}
	return n
}

// options are those of a database that logs nothing and whose levels all have
// the same policy. It can read tables of the others too.
func options(policy pebble.FilterPolicy, others ...pebble.FilterPolicy) *pebble.Options {
	opts := &pebble.Options{
		Filters:   map[string]pebble.FilterPolicy{},
		Logger:    silent{},
		CacheSize: 256 << 20,
	}
	opts.EnsureDefaults()
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = policy
	}
	for _, p := range others {
		opts.Filters[p.Name()] = p
	}
	return opts
}

// manyLevels has the engine spread a few dozen megabytes over several levels.
// With its defaults nearly all of them would come to lie in L6, whose filters
// Get does not ask: there, most keys that get so far are found.
func manyLevels(opts *pebble.Options) *pebble.Options {
	opts.MemTableSize = 4 << 20
	opts.LBaseMaxBytes = 1 << 20
	opts.Experimental.LevelMultiplier = 4
	for i := range opts.TargetFileSizes {
		opts.TargetFileSizes[i] = 1 << 20
	}
	return opts
}

// allInL0 keeps every table where it was first written, so that a Get asks the
// filters of all of them.
func allInL0(opts *pebble.Options) *pebble.Options {
	opts.MemTableSize = 16 << 20
	opts.DisableAutomaticCompactions = true
	opts.L0CompactionThreshold = 1 << 20
	opts.L0CompactionFileThreshold = 1 << 20
	opts.L0StopWritesThreshold = 1 << 20
	return opts
}

type silent struct{}

func (silent) Infof(string, ...any)           {}
func (silent) Errorf(string, ...any)          {}
func (silent) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

// store is a database on disk.
type store struct {
	*pebble.DB
	t testing.TB
}

func open(t testing.TB, path string, opts *pebble.Options) *store {
	t.Helper()
	db, err := pebble.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return &store{db, t}
}

func (s *store) close() {
	s.t.Helper()
	if err := s.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// fill stores keys from to to-1 and flushes them.
func (s *store) fill(from, to uint64) {
	s.t.Helper()
	batch := s.NewBatch()
	var key []byte
	for i := from; i < to; i++ {
		key = keyOf(key[:0], i, true)
		if err := batch.Set(key, key[5:], nil); err != nil {
			s.t.Fatal(err)
		}
		if batch.Count() == 1000 || i == to-1 {
			if err := batch.Commit(pebble.NoSync); err != nil {
				s.t.Fatal(err)
			}
			batch.Reset()
		}
	}
	if err := s.Flush(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) has(key []byte) bool {
	s.t.Helper()
	_, closer, err := s.Get(key)
	if err == nil {
		closer.Close()
		return true
	}
	if !errors.Is(err, pebble.ErrNotFound) {
		s.t.Fatal(err)
	}
	return false
}

// ask looks for keys from to to-1, of which all or none are stored. It returns
// what the engine says that its filters did: how many tables they spared it, and
// how many they could not.
func (s *store) ask(from, to uint64, stored bool) (spared, read int64) {
	s.t.Helper()
	before := s.Metrics().Filter
	var key []byte
	for i := from; i < to; i++ {
		if key = keyOf(key[:0], i, stored); s.has(key) != stored {
			s.t.Fatalf("key %d: found %v, want %v", i, !stored, stored)
		}
	}
	after := s.Metrics().Filter
	return after.Hits - before.Hits, after.Misses - before.Misses
}

// tables returns the number of tables of each level.
func (s *store) tables() (n [7]int64) {
	for i, l := range s.Metrics().Levels {
		n[i] = l.TablesCount
	}
	return n
}

// covering returns how many tables above L6 there are whose range has a key, summed
// over the absent keys 0 to n-1.
func (s *store) covering(n uint64) (pairs int64) {
	s.t.Helper()
	levels, err := s.SSTables()
	if err != nil {
		s.t.Fatal(err)
	}
	var key []byte
	for i := range n {
		key = keyOf(key[:0], i, false)
		for _, tables := range levels[:6] {
			for _, table := range tables {
				if bytes.Compare(table.Smallest.UserKey, key) <= 0 && bytes.Compare(key, table.Largest.UserKey) <= 0 {
					pairs++
				}
			}
		}
	}
	return pairs
}
