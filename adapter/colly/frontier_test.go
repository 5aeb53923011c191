package colly

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

func openFrontier(t *testing.T, path string) *Frontier {
	t.Helper()
	q, err := OpenFrontier(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return q
}

// drain takes all requests that are there.
func drain(t *testing.T, q *Frontier) (requests []string) {
	t.Helper()
	for {
		size, err := q.QueueSize()
		if err != nil {
			t.Fatal(err)
		}
		r, err := q.GetRequest()
		if size == 0 {
			if err != io.EOF || r != nil {
				t.Fatalf("an empty frontier gave %q, %v", r, err)
			}
			return requests
		}
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, string(r))
	}
}

// Requests come out in the order in which they went in, also those that are added
// after others were taken and after the end was reached, and all of them anew when
// the file is opened again.
func TestAFrontierGivesAllOutAnewWhenOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frontier")
	var all []string
	q := openFrontier(t, path)
	for round := range 5 {
		var taken, added []string
		for i := range 300 {
			r := fmt.Sprintf(`{"URL":"http://example.com/%d/%d%s"}`, round, i, strings.Repeat("x", i*7))
			if err := q.AddRequest([]byte(r)); err != nil {
				t.Fatal(err)
			}
			added = append(added, r)
			if i%3 == 0 {
				r, err := q.GetRequest()
				if err != nil {
					t.Fatal(err)
				}
				taken = append(taken, string(r))
			}
		}
		taken = append(taken, drain(t, q)...)
		if !slices.Equal(taken, added) {
			t.Fatalf("round %d: took %d requests, added %d", round, len(taken), len(added))
		}
		all = append(all, added...)
		if round%2 == 1 {
			q.Close()
			q = openFrontier(t, path)
			if got := drain(t, q); !slices.Equal(got, all) {
				t.Fatalf("round %d: opened again it gives %d requests, want %d", round, len(got), len(all))
			}
		}
	}
	if err := q.Sync(); err != nil {
		t.Error(err)
	}
}

// Any number of goroutines add and take.
func TestAFrontierIsForManyGoroutines(t *testing.T) {
	q := openFrontier(t, filepath.Join(t.TempDir(), "frontier"))
	const goroutines, each = 8, 200
	var mu sync.Mutex
	taken := map[string]bool{}
	take := func() bool {
		r, err := q.GetRequest()
		if err != nil {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		if taken[string(r)] {
			t.Errorf("%s was taken twice", r)
		}
		taken[string(r)] = true
		return true
	}
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range each {
				if err := q.AddRequest(fmt.Appendf(nil, "%d %d", g, i)); err != nil {
					t.Error(err)
				}
				take()
			}
		})
	}
	all.Wait()
	for take() {
	}
	if len(taken) != goroutines*each {
		t.Errorf("%d requests were taken, want %d", len(taken), goroutines*each)
	}
}

// Whatever part of the file a crash leaves: the whole lines are there, and the
// next one does not stick to what was left of another.
func TestAFrontierThatWasCutGoesOn(t *testing.T) {
	whole := []byte("first\nsecond\nthird\n")
	for n := range len(whole) + 1 {
		path := filepath.Join(t.TempDir(), "frontier")
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		q := openFrontier(t, path)
		if err := q.AddRequest([]byte("new")); err != nil {
			t.Fatal(err)
		}
		kept := whole[:bytes.LastIndexByte(whole[:n], '\n')+1]
		want := strings.Split(string(kept)+"new", "\n")
		if got := drain(t, q); !slices.Equal(got, want) {
			t.Errorf("cut to %d bytes: %q, want %q", n, got, want)
		}
	}
}

// Part of a line that could not be written, on a full disk say, spoils neither what
// follows nor the file.
func TestAFailedWriteLeavesNoTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frontier")
	q := openFrontier(t, path)
	want := []string{"before", "after", "later"}
	for i, r := range want {
		if err := q.AddRequest([]byte(r)); err != nil {
			t.Fatal(err)
		}
		if _, err := q.file.WriteAt([]byte(strings.Repeat("part of a line", 3)), q.size); err != nil {
			t.Fatal(err)
		}
		if got, err := q.GetRequest(); err != nil || string(got) != want[i] {
			t.Fatalf("%q, %v, want %q", got, err, want[i])
		}
	}
	q.Close()
	if got := drain(t, openFrontier(t, path)); !slices.Equal(got, want) {
		t.Errorf("opened again: %q, want %q", got, want)
	}
}

// The whole lines of a long file are found, wherever they cross what is read at a
// time.
func TestALongFrontierIsCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frontier")
	line := append(bytes.Repeat([]byte{'x'}, 100_000), '\n')
	if err := os.WriteFile(path, append(bytes.Repeat(line, 7), line[:99_999]...), 0o644); err != nil {
		t.Fatal(err)
	}
	q := openFrontier(t, path)
	if got := drain(t, q); len(got) != 7 || len(got[6]) != 100_000 {
		t.Errorf("%d lines", len(got))
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 7*100_001 {
		t.Errorf("the file was cut to %d bytes, %v", info.Size(), err)
	}
}

func TestErrorsOfAFrontier(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenFrontier(dir); err == nil {
		t.Error("a folder was opened")
	}
	path := filepath.Join(dir, "frontier")
	q := openFrontier(t, path)
	if err := q.AddRequest([]byte("two\nlines")); !errors.Is(err, blocked.ErrInvalid) {
		t.Errorf("a line break: %v", err)
	}
	if size, err := q.QueueSize(); size != 0 || err != nil {
		t.Errorf("size %d, %v", size, err)
	}

	// Somebody empties the file: an error, and colly's queue ends with it.
	if err := q.AddRequest([]byte("request")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := q.GetRequest(); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("an emptied file: %v", err)
	}
	if _, err := q.QueueSize(); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("the size of an emptied file: %v", err)
	}

	q = openFrontier(t, path)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if err := q.AddRequest([]byte("request")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed frontier: %v", err)
	}
	if _, err := q.QueueSize(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the size of a closed frontier: %v", err)
	}
	if err := q.Sync(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("syncing a closed frontier: %v", err)
	}
}
