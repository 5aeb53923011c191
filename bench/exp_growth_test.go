package main

import (
	"io"
	"path/filepath"
	"testing"
)

func TestGrowthSizes(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		quick     bool
		available uint64
		largest   string
		n         int
	}{
		{true, 64 * gib, "64 MiB", 13},
		{false, 64 * gib, "4 GiB", 19},
		{false, 23 * gib, "2 GiB", 18},
		{false, 5 * gib, "512 MiB", 16},
		{false, 0, "512 MiB", 16}, // not known
		{true, gib / 2, "32 MiB", 12},
		{true, 1, "16 KiB", 1},
	} {
		if c.n > 17 && maxInt>>32 == 0 {
			continue // on a 32-bit CPU filters are smaller than 2 GiB
		}
		sizes := growthSizes(c.quick, c.available)
		if got := sizeName(sizes[len(sizes)-1]); got != c.largest || len(sizes) != c.n || sizes[0] != 16<<10 {
			t.Errorf("quick %v, %d bytes: %d sizes up to %s, want %d up to %s",
				c.quick, c.available, len(sizes), got, c.n, c.largest)
		}
	}
}

// In chunks both methods add every key once, and the filter holds them.
func TestGrowthInChunks(t *testing.T) {
	const bytes = parallelFrom
	chunked, whole := &linebloom{k: 6}, &linebloom{k: 6}
	n := keysFor(bytes)
	chunked.Make(n, bytes)
	whole.Build(hashesFrom(0, n), bytes)
	all, err := growthAddsInChunks(chunked, n)
	if err != nil {
		t.Fatal(err)
	}
	if !chunked.filter.Equal(whole.filter) {
		t.Error("the filters differ")
	}
	for _, s := range all {
		if s.keys != n || len(s.nsPerKey) != 1 || s.nsPerKey[0] <= 0 {
			t.Errorf("%s: %d keys, %g ns", s.name, s.keys, s.nsPerKey)
		}
	}
}

// The measurements are those of the columns and the charts, at every size.
func TestGrowthRecords(t *testing.T) {
	b := &bench{out: io.Discard, dir: t.TempDir(), rounds: 1, chosen: true, sizes: []int{16 << 10, 32 << 10}}
	var r result
	if err := growth(b, &r); err != nil {
		t.Fatal(err)
	}
	want := []string{"linebloom HasHashes", "linebloom HasHash", "limit: touch lines, prefetched",
		"linebloom AddHashes", "linebloom AddHashesParallel"}
	if len(r.Measurements) != 2*len(want) {
		t.Fatalf("%d measurements", len(r.Measurements))
	}
	for i, m := range r.Measurements {
		tests := i%len(want) < 3
		if m.Contender != want[i%len(want)] || m.Bytes != b.sizes[i/len(want)] || tests != (m.Stream == miss) {
			t.Errorf("measurement %d: %+v", i, m)
		}
		if parallel := m.Contender == want[4]; parallel && m.AllocsPerCall != nil {
			t.Errorf("%s: allocations were counted", m.Contender)
		}
		if _, known := looks[m.Contender]; !known {
			t.Errorf("%s has no look", m.Contender)
		}
	}
	if charts, _ := filepath.Glob(filepath.Join(b.dir, "growth*.svg")); len(charts) != 2 {
		t.Errorf("charts %q", charts)
	}
}
