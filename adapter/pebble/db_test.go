package pebble

import (
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// The real engine with 2,000,000 keys in many tables of several levels, most of
// them written by compactions: no key is lost, before and after the database is
// closed, and the engine's own figures show filters at work.
func TestNoKeyIsLostInADatabaseOfManyLevels(t *testing.T) {
	t.Parallel()
	n, asked := fewer(2_000_000, 200_000), fewer(1_000_000, 10_000)
	path := t.TempDir()
	s := open(t, path, manyLevels(options(FilterPolicy(10))))
	for i := uint64(0); i < n; i += n / 10 {
		s.fill(i, i+n/10)
		s.ask(i, i+n/1000, true) // while compactions run
	}
	if s.Metrics().Compact.Count == 0 {
		t.Fatal("nothing was compacted")
	}
	t.Logf("%d compactions", s.Metrics().Compact.Count)
	s.close()

	s = open(t, path, manyLevels(options(FilterPolicy(10))))
	defer s.close()
	filtered, tables := 0, s.tables()
	for _, count := range tables[:6] {
		if count > 0 {
			filtered++
		}
	}
	if want := int(fewer(2, 1)); filtered < want || tables[6] == 0 {
		t.Fatalf("%d tables in L0 to L6: want some in L6 and in %d levels above it", tables, want)
	}
	spared, read := s.ask(0, asked, false)
	rate := float64(read) / float64(spared+read)
	t.Logf("%d tables in L0 to L6; %d absent keys: filters spared %d tables and not %d, a rate of %.5f; the ideal is %.5f",
		tables, asked, spared, read, rate, ideal(10))
	// How much of the keys the levels above L6 cover depends on when compactions ran.
	covering := s.covering(asked)
	if spared+read < covering || covering < int64(asked)/10 {
		t.Errorf("filters were asked %d times, but %d tables may have one of %d absent keys",
			spared+read, covering, asked)
	}
	if read == 0 || rate > 1.1*ideal(10)+4*sigma(ideal(10), float64(asked)) {
		t.Errorf("rate %.5f by the engine's figures", rate)
	}
	if _, read := s.ask(n-asked, n, true); read == 0 {
		t.Error("no filter was asked about a present key")
	}
}

// Databases that one policy wrote go on working with the other: the old tables
// with their filters, the new ones with the new.
func TestPoliciesCanBeChanged(t *testing.T) {
	n := int64(fewer(20_000, 2_000))
	ours, theirs := FilterPolicyForRate(0.01), bloom.FilterPolicy(10)
	for _, c := range []struct{ before, after pebble.FilterPolicy }{{theirs, ours}, {ours, theirs}} {
		path := t.TempDir()
		s := open(t, path, allInL0(options(c.before)))
		s.fill(0, uint64(n))
		s.close()

		s = open(t, path, allInL0(options(c.after, c.before)))
		if spared, _ := s.ask(0, uint64(n), false); spared < n*9/10 {
			t.Errorf("tables of %s, opened with %s: %d tables spared for %d absent keys",
				c.before.Name(), c.after.Name(), spared, n)
		}
		s.fill(uint64(n), 2*uint64(n))
		s.ask(0, 2*uint64(n), true)
		if spared, _ := s.ask(0, uint64(n), false); spared < 2*n*9/10 {
			t.Errorf("a table of each policy: %d tables spared for %d absent keys", spared, n)
		}
		s.close()

		// Without the old policy's name its filters are not used, and nothing is
		// lost.
		s = open(t, path, allInL0(options(c.after)))
		s.ask(0, 2*uint64(n), true)
		if spared, read := s.ask(0, uint64(n), false); spared+read > n || spared+read < n-n/100 {
			t.Errorf("%d filters asked about %d absent keys, want those of one table", spared+read, n)
		}
		s.close()
	}
}
