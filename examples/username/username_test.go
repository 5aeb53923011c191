package main

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func open(t *testing.T, path string, room uint64) *Registry {
	t.Helper()
	r, err := Open(path, room, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Names 0, 2, 4 ... are taken, the others are free.
func TestTheStoreIsAskedForTakenNamesAndHardlyForFreeOnes(t *testing.T) {
	const taken = 10_000
	reg := open(t, filepath.Join(t.TempDir(), "names"), taken)
	var names []string
	for i := range taken {
		names = append(names, name(2*i))
	}
	if err := reg.Import(names); err != nil {
		t.Fatal(err)
	}
	check := func(i int, want bool) {
		t.Helper()
		if got, err := reg.Taken(name(i)); err != nil || got != want {
			t.Fatalf("%q: taken %v, %v, want %v", name(i), got, err, want)
		}
	}
	reg.LookUps.Store(0)
	for i := range taken {
		check(2*i, true)
	}
	if n := reg.LookUps.Load(); n != taken {
		t.Errorf("%d look-ups for %d taken names", n, taken)
	}
	reg.LookUps.Store(0)
	const free = 100_000
	for i := range free {
		check(2*i+1, false)
	}
	// The filter is made for this many names: its rate, and five standard deviations.
	mean := free * 0.01
	if n := reg.LookUps.Load(); float64(n) > mean+5*math.Sqrt(mean) {
		t.Errorf("%d look-ups for %d free names, want %.0f", n, free, mean)
	}
}

func TestTakenNamesAreKnownAfterReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names")
	for round := range 3 {
		reg := open(t, path, 100)
		for i := range 100 * round {
			if ok, err := reg.Taken(fmt.Sprint(i)); !ok || err != nil {
				t.Fatalf("opened %d times, name %d: taken %v, %v", round, i, ok, err)
			}
		}
		for i := 100 * round; i < 100*round+100; i++ {
			if ok, err := reg.SignUp(fmt.Sprint(i)); !ok || err != nil {
				t.Fatalf("name %d: %v, %v", i, ok, err)
			}
			if ok, err := reg.SignUp(fmt.Sprint(i)); ok || err != nil {
				t.Fatalf("name %d a second time: %v, %v", i, ok, err)
			}
		}
		if err := reg.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOneOfManyGetsAName(t *testing.T) {
	reg := open(t, filepath.Join(t.TempDir(), "names"), 100)
	for i := range 10 {
		var got atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				ok, err := reg.SignUp(fmt.Sprint("name ", i))
				if err != nil {
					t.Error(err)
				}
				if ok {
					got.Add(1)
				}
			})
		}
		wg.Wait()
		if n := got.Load(); n != 1 {
			t.Errorf("%d got the same name", n)
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, t.TempDir(), 1000, 20_000, 0.01); err != nil {
		t.Fatal(err)
	}
	said := out.String()
	t.Log(said)
	var asked, taken, free, lookUps, saved int
	_, rest, _ := strings.Cut(said, "on disk\n")
	if _, err := fmt.Sscanf(rest, "%d names asked: %d taken, %d free\n%d store look-ups, %d saved",
		&asked, &taken, &free, &lookUps, &saved); err != nil {
		t.Fatal(err)
	}
	if asked != 20_000 || taken+free != asked || lookUps+saved != asked ||
		lookUps < taken || lookUps > taken+free/50 || taken < 1800 || taken > 2200 {
		t.Error("its numbers are wrong")
	}
	if !strings.HasSuffix(said, "linus signs up: welcome\nlinus signs up: the name is taken\n") {
		t.Error("of two who want a name, the first does not get it, or the second does")
	}
	for line := range strings.Lines(said) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
	}
}
