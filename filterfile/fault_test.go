package filterfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// A trial calls one method. What it returns is an error of the method, if that
// can return one.
type trial[F any] struct {
	touches bool // memory of the file
	do      func(f F) error
}

// hashes are a batch that falls into every part of a filter and is long enough
// for every kernel.
var hashes = func() []uint64 {
	h := make([]uint64, 3000)
	for i := range h {
		h[i] = blocked.HashUint64(0, uint64(i))
	}
	return h
}()

func texts() (keys [][]byte, strings []string) {
	for i := range 3000 {
		s := fmt.Sprint("key ", i)
		keys, strings = append(keys, []byte(s)), append(strings, s)
	}
	return keys, strings
}

// no is a trial of a method that returns no error.
func no[F any](do func(f F)) trial[F] {
	return trial[F]{true, func(f F) error { do(f); return nil }}
}

// idle is one that does not touch the file.
func idle[F any](do func(f F)) trial[F] {
	return trial[F]{false, func(f F) error { do(f); return nil }}
}

type readMethods interface {
	blocked.Viewer
	Params() blocked.Params
	Has([]byte) bool
	HasString(string) bool
	HasUint64(uint64) bool
	HasHash(uint64) bool
	HasHashes(dst, hashes []uint64) int
	HasKeys(dst []uint64, keys [][]byte) int
	HasStrings(dst []uint64, keys []string) int
	HasUint64s(dst, keys []uint64) int
	SelectHashes(dst []uint32, hashes []uint64) []uint32
	FillRatio() float64
	EstimateCount() float64
	EstimateFPRate() float64
	Equal(blocked.Viewer) bool
	Capacity() uint64
	TargetFPRate() float64
	Header() blocked.Header
	Close() error
}

// readTrials are of the methods that File and Shared have in common. other is a
// filter of the same geometry.
func readTrials[F readMethods](other *blocked.Filter) map[string]trial[F] {
	dst := make([]uint64, 100)
	keys, strings := texts()
	return map[string]trial[F]{
		"Has":            no(func(f F) { each(keys, func(k []byte) { f.Has(k) }) }),
		"HasString":      no(func(f F) { each(strings, func(k string) { f.HasString(k) }) }),
		"HasUint64":      no(func(f F) { each(hashes, func(k uint64) { f.HasUint64(k) }) }),
		"HasHash":        no(func(f F) { each(hashes, func(k uint64) { f.HasHash(k) }) }),
		"HasHashes":      no(func(f F) { f.HasHashes(dst, hashes) }),
		"HasKeys":        no(func(f F) { f.HasKeys(dst, keys) }),
		"HasStrings":     no(func(f F) { f.HasStrings(dst, strings) }),
		"HasUint64s":     no(func(f F) { f.HasUint64s(dst, hashes) }),
		"SelectHashes":   no(func(f F) { f.SelectHashes(nil, hashes) }),
		"FillRatio":      no(func(f F) { f.FillRatio() }),
		"EstimateCount":  no(func(f F) { f.EstimateCount() }),
		"EstimateFPRate": no(func(f F) { f.EstimateFPRate() }),
		"Equal":          no(func(f F) { f.Equal(other) }),
		"View":           idle(func(f F) { f.View() }),
		"Params":         idle(func(f F) { f.Params() }),
		"Capacity":       idle(func(f F) { f.Capacity() }),
		"TargetFPRate":   idle(func(f F) { f.TargetFPRate() }),
		"Header":         idle(func(f F) { f.Header() }),
		"Close":          {false, func(f F) error { return f.Close() }},
	}
}

func each[T any](keys []T, do func(T)) {
	for _, k := range keys {
		do(k)
	}
}

func fileTrials(other *blocked.Filter) map[string]trial[*File] {
	trials := readTrials[*File](other)
	trials["Err"] = trial[*File]{false, func(f *File) error { return f.Err() }}
	trials["Stat"] = trial[*File]{false, func(f *File) error { _, err := f.Stat(); return err }}
	return trials
}

func sharedTrials(other *blocked.Filter) map[string]trial[*Shared] {
	keys, strings := texts()
	type S = *Shared
	trials := readTrials[S](other)
	for name, tr := range map[string]trial[S]{
		"Add":              no(func(s S) { each(keys, s.Add) }),
		"AddString":        no(func(s S) { each(strings, s.AddString) }),
		"AddUint64":        no(func(s S) { each(hashes, s.AddUint64) }),
		"AddHash":          no(func(s S) { each(hashes, s.AddHash) }),
		"AddKeys":          no(func(s S) { s.AddKeys(keys) }),
		"AddStrings":       no(func(s S) { s.AddStrings(strings) }),
		"AddUint64s":       no(func(s S) { s.AddUint64s(hashes) }),
		"AddHashes":        no(func(s S) { s.AddHashes(hashes) }),
		"TestAndAdd":       no(func(s S) { each(keys, func(k []byte) { s.TestAndAdd(k) }) }),
		"TestAndAddString": no(func(s S) { each(strings, func(k string) { s.TestAndAddString(k) }) }),
		"TestAndAddUint64": no(func(s S) { each(hashes, func(k uint64) { s.TestAndAddUint64(k) }) }),
		"TestAndAddHash":   no(func(s S) { each(hashes, func(k uint64) { s.TestAndAddHash(k) }) }),
		"Union":            {true, func(s S) error { return s.Union(other) }},
		"Intersect":        {true, func(s S) error { return s.Intersect(other) }},
		"Len":              {false, func(s S) error { _, err := s.Len(); return err }}, // of the header, which may be left
		"CountState":       idle(func(s S) { s.CountState() }),
		"Unclean":          idle(func(s S) { s.Unclean() }),
		"Sync":             {false, S.Sync},
	} {
		trials[name] = tr
	}
	return trials
}

// Nobody adds a method without saying here what a fault does to it.
func TestEveryMethodIsTriedOnATruncatedFile(t *testing.T) {
	check := func(typ reflect.Type, has func(name string) bool) {
		for i := range typ.NumMethod() {
			if name := typ.Method(i).Name; !has(name) {
				t.Errorf("%v.%s has no trial", typ, name)
			}
		}
	}
	files, shareds := fileTrials(nil), sharedTrials(nil)
	check(reflect.TypeFor[*File](), func(name string) bool { _, ok := files[name]; return ok })
	check(reflect.TypeFor[*Shared](), func(name string) bool { _, ok := shareds[name]; return ok })
}

// faultBlocks make a filter for which kernels prefetch.
const faultBlocks = (2<<20 + 1<<16) / 64

// lengths are what a file is cut to: nothing, the header, a part of the blocks.
var lengths = []int64{0, format.FileAlign, format.FileAlign + faultBlocks*32}

// tryAll cuts a file short under each method. Whatever it touches, it panics with
// a FaultError, or returns one if it can return errors, and the process lives.
func tryAll[F readMethods](t *testing.T, path string, trials map[string]trial[F], open func() (F, error)) {
	whole := contentOf(t, path)
	for name, tr := range trials {
		for _, n := range lengths {
			write(t, path, whole)
			f, err := open()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, n); err != nil {
				t.Fatal(err)
			}
			var returned error
			panicked := caught(func() { returned = tr.do(f) })
			var fault *FaultError
			switch err := errors.Join(panicked, returned); {
			case panicked != nil && !errors.As(panicked, &fault):
				t.Errorf("%s of %d bytes: panic %v", name, n, panicked)
			case tr.touches && !errors.As(err, &fault):
				t.Errorf("%s of %d bytes: no fault: %v", name, n, err)
			case fault != nil && (fault.Path != path || fault.Fault == nil || fault.Error() == ""):
				t.Errorf("%s of %d bytes: %#v", name, n, fault)
			case panicked != nil && canFail(name):
				t.Errorf("%s of %d bytes panics with %v, and could return it", name, n, panicked)
			}
			closed := f.Close()
			if name == "Close" {
				if !errors.Is(closed, ErrClosed) {
					t.Errorf("second Close: %v", closed)
				}
			}
			after := caught(func() { returned = tr.do(f) })
			if tr.touches && !errors.Is(errors.Join(after, returned), ErrClosed) {
				t.Errorf("%s after Close: %v, panic %v", name, returned, after)
			}
		}
	}
}

func canFail(name string) bool {
	switch name {
	case "Union", "Intersect", "Len", "Sync", "Close":
		return true
	}
	return false
}

// hasMappings ends a test on systems where files are read and not mapped.
func hasMappings(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files are not mapped on " + runtime.GOOS)
	}
}

// hasFaults ends a test where Go does not learn the address of a fault, by which
// it tells one in a file from a nil pointer. Real CPUs tell it.
func hasFaults(t *testing.T) {
	t.Helper()
	hasMappings(t)
	path := filepath.Join(t.TempDir(), "page")
	write(t, path, make([]byte, os.Getpagesize()))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := newMapping(f, os.Getpagesize(), readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer m.discard()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	err = caughtFault(func() { t.Log(m.bytes[100]) })
	if _, ok := err.(interface{ Addr() uintptr }); !ok {
		missing(t, "qemu-aarch64 does not tell the address of a bus error, nor does this machine: use another one")
	}
}

func TestTruncationUnderAFileIsAPanicThatCanBeRecovered(t *testing.T) {
	hasFaults(t)
	t.Parallel()
	other := filled(t, blocked.Params{Blocks: faultBlocks, K: 6}, 1000)
	for _, way := range []string{"VerifyAll", "VerifyHeader", "VerifyLazy", "Degraded"} {
		t.Run(way, func(t *testing.T) {
			path, _ := saved(t, other, nil)
			trials := fileTrials(other)
			if way == "VerifyLazy" {
				trials["View"] = no(func(f *File) { f.View() }) // checks all chunks
			}
			tryAll(t, path, trials, func() (*File, error) { return Open(path, ways[way]) })
		})
	}
}

func TestTruncationUnderASharedFileIsAPanicThatCanBeRecovered(t *testing.T) {
	hasFaults(t)
	t.Parallel()
	other := filled(t, blocked.Params{Blocks: faultBlocks, K: 6}, 1000)
	path, _ := saved(t, other, nil)
	tryAll(t, path, sharedTrials(other), func() (*Shared, error) { return OpenShared(path) })
}

// Closing a shared file that is too short fails, also if the page it ends in hides
// that.
func TestCloseOfATruncatedFileFails(t *testing.T) {
	hasFaults(t)
	t.Parallel()
	for _, cut := range []int64{1, 100, 4096, 8000} {
		path, s := create(t, 10_000)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-cut); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err == nil {
			t.Errorf("%d bytes are missing, and Close returns no error", cut)
		} else if f, err := Open(path, Options{}); err == nil {
			f.Close()
			t.Errorf("%d bytes are missing, and the file can be opened", cut)
		}
	}
}

// Save reads the filter that it saves: if that is a mapped file, it may fault too.
func TestSaveOfATruncatedFileFails(t *testing.T) {
	hasFaults(t)
	t.Parallel()
	other := filled(t, blocked.Params{Blocks: faultBlocks, K: 6}, 1000)
	source, whole := saved(t, other, nil)
	path, before := saved(t, filled(t, saveParams, 10), nil)
	try := func(f blocked.Viewer) {
		t.Helper()
		if err := os.Truncate(source, format.FileAlign); err != nil {
			t.Fatal(err)
		}
		var fault *FaultError
		if err := Save(path, f, nil); !errors.As(err, &fault) || fault.Path != source {
			t.Errorf("%T: %v", f, err)
		}
		if names := leftovers(t, path); len(names) > 0 || string(contentOf(t, path)) != string(before) {
			t.Errorf("%T: left behind: %v", f, names)
		}
		write(t, source, whole)
	}
	for _, way := range []string{"VerifyHeader", "VerifyLazy"} {
		f, err := Open(source, ways[way])
		if err != nil {
			t.Fatal(err)
		}
		try(f)
		f.Close()
		if err := Save(path, f, nil); !errors.Is(err, ErrClosed) {
			t.Errorf("Save of a closed file: %v", err)
		}
	}
	s, err := OpenShared(source)
	if err != nil {
		t.Fatal(err)
	}
	try(s)
	s.Close()
	if err := Save(path, s, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Save of a closed file: %v", err)
	}
}

// Files are opened while somebody cuts them short and restores them: that is an
// error, or not, and never the end of the process.
func TestTruncationWhileOpeningIsAnError(t *testing.T) {
	hasFaults(t)
	t.Parallel()
	other := filled(t, blocked.Params{Blocks: faultBlocks / 4, K: 6}, 1000)
	path, whole := saved(t, other, nil)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for r := dice(7); ; {
			select {
			case <-stop:
				return
			default:
			}
			os.WriteFile(path, whole, 0o644) // from nothing on
			time.Sleep(time.Duration(r.IntN(int(time.Millisecond))))
			os.Truncate(path, format.FileAlign+5000)
		}
	})
	outcomes := map[bool]int{}
	for i := range rounds(200) {
		for _, opts := range ways {
			f, err := Open(path, opts)
			if outcomes[err == nil]++; err == nil {
				caught(func() { f.HasHashes(make([]uint64, 100), hashes) })
				f.Close()
			}
		}
		if i%10 == 0 && detector == 1 { // whose atomic operations look twice, and recover from the first fault only
			s, err := OpenShared(path)
			if outcomes[err == nil]++; err == nil {
				caught(func() { s.AddHashes(hashes) })
				s.Close()
			}
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d opened, %d not", outcomes[true], outcomes[false])
}
