package window

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// saveGeneration saves a filter of keys n*1000 to n*1000+999, and key 1<<40, whose
// metadata are n.
func saveGeneration(t testing.TB, path string, n int) {
	t.Helper()
	f, err := blocked.New(2000+uint64(n), 1e-4, blocked.WithSeed(uint64(n)))
	if err != nil {
		t.Fatal(err)
	}
	f.AddUint64s(span(uint64(n)*1000, uint64(n)*1000+1000))
	f.AddUint64(1 << 40)
	if err := filterfile.Save(path, f, []byte{byte(n), byte(n >> 8)}); err != nil {
		t.Fatal(err)
	}
}

func generationOf(f *filterfile.File) int {
	m := f.Header().Metadata
	return int(m[0]) | int(m[1])<<8
}

// damage puts a file in the place of the one at path, by renaming, that differs in one
// byte of its blocks.
func damage(t testing.TB, path string) {
	t.Helper()
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p[len(p)/2] ^= 1
	replace(t, path, p)
}

func replace(t testing.TB, path string, content []byte) {
	t.Helper()
	tmp := path + ".new"
	if err := os.WriteFile(tmp, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		t.Fatal(err)
	}
}

func openFile(t testing.TB, path string, opts FileOptions) *File {
	t.Helper()
	f, err := OpenFile(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.lbf")
	saveGeneration(t, path, 1)
	var told []error
	f := openFile(t, path, FileOptions{OnChange: func(err error) { told = append(told, err) }})
	check := func(n uint64) {
		t.Helper()
		keys := span(n*1000, n*1000+1000)
		var dst [16]uint64
		texts, slices, hashes := make([]string, 1000), make([][]byte, 1000), make([]uint64, 1000)
		for i, key := range keys {
			slices[i] = little(key)
			texts[i] = string(slices[i])
			hashes[i] = blocked.HashUint64(n, key)
		}
		if f.HasUint64s(dst[:], keys) != 1000 || f.HasKeys(dst[:], slices) != 1000 || f.HasStrings(dst[:], texts) != 1000 || f.HasHashes(dst[:], hashes) != 1000 ||
			!f.Has(slices[5]) || !f.HasString(texts[6]) || !f.HasUint64(keys[7]) || !f.HasHash(hashes[8]) {
			t.Errorf("generation %d: keys are missing", n)
		}
		if f.HasUint64(1 << 20) {
			t.Errorf("generation %d: a key too many", n)
		}
		if f.Params().Seed != n || f.Do(func(f *filterfile.File) error {
			if generationOf(f) != int(n) {
				t.Errorf("generation %d answers, want %d", generationOf(f), n)
			}
			return fs.ErrExist
		}) != fs.ErrExist {
			t.Errorf("generation %d: wrong parameters or error", n)
		}
	}
	refresh := func(want error) {
		t.Helper()
		if err := f.Refresh(); !errors.Is(err, want) || !errors.Is(f.Err(), want) {
			t.Errorf("error %v and %v, want %v", err, f.Err(), want)
		}
	}
	check(1)
	refresh(nil)
	saveGeneration(t, path, 2)
	check(1)
	refresh(nil)
	check(2)
	damage(t, path)
	refresh(blocked.ErrCorrupt)
	check(2)
	replace(t, path, nil)
	refresh(blocked.ErrCorrupt)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	refresh(fs.ErrNotExist)
	check(2)
	saveGeneration(t, path, 3)
	refresh(nil)
	check(3)
	if len(told) != 5 || told[0] != nil || !errors.Is(told[1], blocked.ErrCorrupt) || !errors.Is(told[3], fs.ErrNotExist) || told[4] != nil {
		t.Errorf("told %v", told)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"Close": f.Close(), "Refresh": f.Refresh(), "HasUint64": caught(func() { f.HasUint64(1) }), "Err": caught(func() { f.Err() }),
	} {
		if !errors.Is(err, filterfile.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

// caught returns the error that do panics with.
func caught(do func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	do()
	return nil
}

func TestOpenFileRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.lbf")
	if _, err := OpenFile(path, FileOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	saveGeneration(t, path, 1)
	if _, err := OpenFile(path, FileOptions{Every: -1}); !errors.Is(err, blocked.ErrInvalid) {
		t.Errorf("a negative time: %v", err)
	}
	damage(t, path)
	if _, err := OpenFile(path, FileOptions{}); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("a damaged file: %v", err)
	}
	f := openFile(t, path, FileOptions{Options: filterfile.Options{Degraded: true}})
	defer f.Close()
	if !f.HasUint64(1000) || !errors.Is(f.Err(), blocked.ErrCorrupt) {
		t.Errorf("a damaged file, degraded: %v", f.Err())
	}
}

// A call that goes on keeps its file open, and only that one.
func TestAFileIsClosedWhenNobodyReadsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.lbf")
	saveGeneration(t, path, 1)
	f := openFile(t, path, FileOptions{})
	open := func(f *filterfile.File) bool { _, err := f.Stat(); return err == nil }
	var files []*filterfile.File
	var inside func(n int) error
	inside = func(n int) error {
		return f.Do(func(file *filterfile.File) error {
			files = append(files, file)
			if generationOf(file) != n {
				t.Errorf("generation %d, want %d", generationOf(file), n)
			}
			if n == 3 {
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			} else {
				saveGeneration(t, path, n+1)
				if err := f.Refresh(); err != nil {
					t.Error(err)
				}
				inside(n + 1)
			}
			for i, file := range files {
				if open(file) != (i < n) || i < n && !file.HasUint64(1<<40) {
					t.Errorf("file %d is open: %v", i+1, open(file))
				}
			}
			return nil
		})
	}
	inside(1)
	for i, file := range files {
		if open(file) {
			t.Errorf("file %d is still open", i+1)
		}
	}
}

// The same while files are replaced as fast as they can be opened.
func TestNoFileIsClosedWhileSomebodyReadsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.lbf")
	saveGeneration(t, path, 1)
	f := openFile(t, path, FileOptions{Options: filterfile.Options{Verify: filterfile.VerifyHeader}})
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for !done.Load() {
				if err := f.Do(func(file *filterfile.File) error {
					_, err := file.Stat()
					return err
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range rounds(10_000) {
		next, err := open(path, f.opts)
		if err != nil {
			t.Fatal(err)
		}
		old := f.current.Swap(next)
		if err := old.retireAndClose(); err != nil {
			t.Fatal(err)
		}
	}
	done.Store(true)
	wg.Wait()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if n := mappings(path); n > 0 {
		t.Errorf("%d files are still mapped", n)
	}
}

// The timer notices a new file, and does not read a damaged one again and again.
func TestFileIsLookedAtByATimer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.lbf")
	saveGeneration(t, path, 1)
	changes := make(chan error, 100)
	f := openFile(t, path, FileOptions{Every: time.Millisecond, OnChange: func(err error) { changes <- err }})
	for n := 2; n < 6; n++ {
		saveGeneration(t, path, n)
		if err := <-changes; err != nil || !f.HasUint64(uint64(n*1000)) {
			t.Fatalf("generation %d: %v", n, err)
		}
		damage(t, path)
		if err := <-changes; !errors.Is(err, blocked.ErrCorrupt) {
			t.Fatalf("damaged generation %d: %v", n, err)
		}
		f.look()
		f.look()
		if len(changes) > 0 || !errors.Is(f.Err(), blocked.ErrCorrupt) {
			t.Errorf("a damaged file is read again: %v", <-changes)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	f.look() // as a timer may that was due when it was stopped
}

// A writer replaces the file 200 times, and puts damaged and missing ones between,
// while others read. Every answer is that of a generation which was there during the
// call, and no generation before one that has been seen answers again.
func TestTwoHundredGenerationsOfAFile(t *testing.T) {
	const generations, readers = 200, 3
	path := filepath.Join(t.TempDir(), "f.lbf")
	saveGeneration(t, path, 0)
	before := mappings(path)
	f := openFile(t, path, FileOptions{})
	var saved, inUse atomic.Int64 // generations
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			last := 0
			var dst [16]uint64
			for inUse.Load() < generations-1 {
				from := inUse.Load()
				hits := f.HasUint64s(dst[:], span(uint64(from)*1000, uint64(from)*1000+1000))
				if hits < 1000 && saved.Load() == from {
					t.Errorf("%d of 1000 keys are missing in generation %d", 1000-hits, from)
					return
				}
				if !f.HasUint64(1 << 40) {
					t.Error("a key is missing that is in all generations")
					return
				}
				f.Do(func(file *filterfile.File) error {
					n := generationOf(file)
					if n < last || n < int(from) || n > int(saved.Load()) {
						t.Errorf("generation %d answers after %d, in use %d, saved %d", n, last, from, saved.Load())
					}
					last = n
					runtime.Gosched()
					if !file.HasUint64(uint64(n)*1000 + 999) {
						t.Errorf("a key is missing in generation %d", n)
					}
					return nil
				})
			}
		})
	}
	for n := 1; n < generations; n++ {
		switch n % 4 {
		case 1:
			damage(t, path)
		case 2:
			replace(t, path, bytes.Repeat([]byte("no filter"), n))
		case 3:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if n%4 > 0 {
			if err := f.Refresh(); err == nil || f.Err() == nil {
				t.Errorf("no error for the bad file before generation %d", n)
			}
		}
		saved.Store(int64(n)) // at once, whatever a reader sees first
		saveGeneration(t, path, n)
		if err := f.Refresh(); err != nil || f.Err() != nil {
			t.Error(err, f.Err())
		}
		inUse.Store(int64(n))
	}
	wg.Wait()
	if n := mappings(path) - before; n > 1 {
		t.Errorf("%d files are mapped, and one is in use", n)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if n := mappings(path) - before; n > 0 {
		t.Errorf("%d files are mapped, and none is in use", n)
	}
}

// mappings returns how many mappings there are of files that path names or named, on
// systems that tell.
func mappings(path string) int {
	maps, _ := os.ReadFile("/proc/self/maps")
	return strings.Count(string(maps), path)
}
