package filterfile

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// A filter for tests holds keys 0 to n-1, and all others are absent.
func filled(t testing.TB, p blocked.Params, n int) *blocked.Filter {
	t.Helper()
	f, err := blocked.NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	f.AddUint64s(span(0, n))
	return f
}

// span returns keys from to to-1.
func span(from, to int) []uint64 {
	keys := make([]uint64, to-from)
	for i := range keys {
		keys[i] = uint64(from + i)
	}
	return keys
}

// lost returns how many of the keys a filter says no to.
func lost(f interface {
	HasUint64s(dst, keys []uint64) int
}, keys []uint64) int {
	return len(keys) - f.HasUint64s(make([]uint64, (len(keys)+63)/64), keys)
}

// saved saves a filter to a new file and returns its path and bytes.
func saved(t testing.TB, f blocked.Viewer, metadata []byte) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f.lbf")
	if err := Save(path, f, metadata); err != nil {
		t.Fatal(err)
	}
	return path, contentOf(t, path)
}

func contentOf(t testing.TB, path string) []byte {
	t.Helper()
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write makes p the content of a file, in place.
func write(t testing.TB, path string, p []byte) {
	t.Helper()
	if err := os.WriteFile(path, p, 0o644); err != nil {
		t.Fatal(err)
	}
}

// create makes a shared file, or skips the test where there are none.
func create(t testing.TB, capacity uint64) (path string, s *Shared) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f.lbf")
	s, err := Create(path, capacity, 0.01)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, s
}

// caught returns the error that do panics with.
func caught(do func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	do()
	return nil
}

// refusal reports whether an error is one of those by which a bad file is
// refused.
func refusal(err error) bool {
	return errors.Is(err, blocked.ErrCorrupt) || errors.Is(err, blocked.ErrUnsupported) || errors.Is(err, blocked.ErrUnclean)
}

// leftovers returns the names of the files in the folder of path, but its own.
func leftovers(t testing.TB, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

// verified opens a file, checks all its bytes, and closes it at the end of the
// test.
func verified(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// dice are random numbers that are the same in every run.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(20, seed)) }

// caughtFault is caught for what has no guard of its own.
func caughtFault(do func()) error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return caught(do)
}
