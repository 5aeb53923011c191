package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

func newTestGuard(t *testing.T, keys int, latency time.Duration) (*Guard, *memoryStore) {
	t.Helper()
	g, s, err := newGuard(keys, 0.01, latency)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

func TestAbsentKeysHardlyReachTheStore(t *testing.T) {
	const keys, n, goroutines = 100_000, 100_000, 8
	g, s := newTestGuard(t, keys, 0)
	ask := func() int64 {
		s.Calls.Store(0)
		var all sync.WaitGroup
		for part := range goroutines {
			all.Go(func() {
				for i := part; i < n; i += goroutines {
					if v, err := g.GetOrLoad(t.Context(), absent(i)); !errors.Is(err, ErrAbsent) {
						t.Errorf("%q: %q, %v", absent(i), v, err)
					}
				}
			})
		}
		all.Wait()
		return s.Calls.Load()
	}
	// The number of false positives among n keys is nearly Poisson: its mean is p n,
	// its standard deviation the root of that. Chance passes five of these once in
	// three million runs with other keys; these are always the same.
	mean := g.filter.Params().FPRate(keys) * n
	bound := mean + 5*math.Sqrt(mean)
	calls := ask()
	t.Logf("%d absent keys: %d calls of the store, at most %.0f allowed", n, calls, bound)
	if float64(calls) > bound {
		t.Errorf("%d calls for %d absent keys, more than %.0f", calls, n, bound)
	}
	if again := ask(); again != 0 {
		t.Errorf("%d calls for the same absent keys once more", again)
	}
}

func TestPresentKeysAreFoundAndLoadedOnce(t *testing.T) {
	const keys = 5000
	g, s := newTestGuard(t, keys, 0)
	for range 2 {
		for i := range keys {
			if v, err := g.GetOrLoad(t.Context(), present(i)); err != nil || v != fmt.Sprint("value ", i) {
				t.Fatalf("%q: %q, %v", present(i), v, err)
			}
		}
	}
	if n := s.Calls.Load(); n != keys {
		t.Errorf("%d keys, asked for twice: %d calls", keys, n)
	}
}

func TestTheCacheKeepsItsLimit(t *testing.T) {
	g, _ := newTestGuard(t, 100, 0)
	g.cache.limit = 7
	for i := range 100 {
		g.GetOrLoad(t.Context(), present(i))
		if n := len(g.cache.entries); n != min(i+1, 7) {
			t.Fatalf("%d entries after %d keys", n, i+1)
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, 5000, 100, 0.01, time.Microsecond); err != nil {
		t.Fatal(err)
	}
	said := out.String()
	t.Log(said)
	var calls int
	_, rest, _ := strings.Cut(said, "the first time: ")
	if _, err := fmt.Sscanf(rest, "%d calls", &calls); err != nil || calls > 50+5*7 {
		t.Errorf("%d calls for 5000 absent keys, %v", calls, err)
	}
	if !strings.HasSuffix(said, "  calls of the store: 1\n") || !strings.Contains(said, "once more: 0 calls") {
		t.Error("its numbers are wrong")
	}
	for line := range strings.Lines(said) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
	}
}
