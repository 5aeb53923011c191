package filterfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

var saveParams = blocked.Params{Blocks: 100, K: 6, Seed: 4}

func TestSaveKeepsTheModeOfTheFileItReplaces(t *testing.T) {
	t.Parallel()
	f := filled(t, saveParams, 100)
	path, _ := saved(t, f, nil)
	fresh := filepath.Join(t.TempDir(), "fresh")
	if err := os.WriteFile(fresh, nil, 0o666); err != nil { // less the umask
		t.Fatal(err)
	}
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if got, want := mode(path), mode(fresh); got != want {
		t.Errorf("a new file has mode %v, want %v", got, want)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	for _, want := range []fs.FileMode{0o600, 0o640, 0o444, 0o666, 0o777, 0o200, 0} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		if err := Save(path, f, nil); err != nil {
			t.Fatal(err)
		}
		if got := mode(path); got != want {
			t.Errorf("mode %v became %v", want, got)
		}
	}
}

func TestSaveFollowsSymbolicLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, folder := range []string{"a/b", "c/d"} {
		if err := os.MkdirAll(at(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"link":     "file",
		"again":    "link",        // a chain
		"a/up":     "../file",     // relative to its folder
		"folder":   "c/d",         // of a folder
		"dangling": "a/new",       // to a file that is not there yet
		"far":      at("a/b/far"), // absolute
		"loop":     "loop",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Skip(err) // Windows, without the right to
		}
	}
	f := filled(t, saveParams, 100)
	for _, c := range []struct{ path, target string }{
		{"file", "file"}, {"link", "file"}, {"again", "file"}, {"a/up", "file"},
		{"dangling", "a/new"}, {"dangling", "a/new"}, {"far", "a/b/far"},
		{"folder/x", "c/d/x"}, {"folder/../x", "c/x"},
	} {
		before, _ := os.Lstat(at(c.target))
		path := dir + "/" + c.path // and not cleaned: .. behind a link is the parent of its target
		if err := Save(path, f, nil); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(at(c.target))
		if err != nil || !info.Mode().IsRegular() || before != nil && os.SameFile(before, info) {
			t.Fatalf("%s: %s is not a new file: %v", c.path, c.target, err)
		}
		if !verified(t, path).Equal(f) {
			t.Fatalf("%s: another filter", c.path)
		}
	}
	for _, link := range []string{"link", "again", "a/up", "folder", "dangling", "far", "loop"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
	}
	if err := Save(at("loop"), f, nil); err == nil {
		t.Error("a link to itself is no error")
	}
}

func TestSaveRefusesWhatItCannotReplaceAndLeavesNothing(t *testing.T) {
	t.Parallel()
	f := filled(t, saveParams, 100)
	path, before := saved(t, f, nil)
	dir := filepath.Dir(path)
	refuse := func(what, path string, metadata []byte, want error) {
		t.Helper()
		if err := Save(path, f, metadata); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if names := leftovers(t, filepath.Join(dir, "f.lbf")); len(names) > 1 {
			t.Fatalf("%s leaves %v", what, names)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	refuse("a folder", filepath.Join(dir, "sub"), nil, nil)
	refuse("the folder itself", dir, nil, nil)
	refuse("a missing folder", filepath.Join(dir, "missing", "f"), nil, fs.ErrNotExist)
	refuse("a file as a folder", filepath.Join(path, "f"), nil, nil)
	refuse("a long name", filepath.Join(dir, strings.Repeat("x", 300)), nil, nil)
	refuse("too much metadata", path, make([]byte, 1<<16+1), blocked.ErrTooLarge)
	refuse("too much metadata for a new file", path+"2", make([]byte, 1<<16+1), blocked.ErrTooLarge)
	if names := leftovers(t, filepath.Join(dir, "sub", "x")); len(names) > 0 {
		t.Errorf("in the folder: %v", names)
	}
	if !bytes.Equal(contentOf(t, path), before) {
		t.Error("the file has changed")
	}
}

func TestSaveKeepsMetadata(t *testing.T) {
	t.Parallel()
	f := filled(t, saveParams, 100)
	for _, n := range []int{0, 1, 63, 3968, 3969, 8064, 1 << 16} {
		metadata := make([]byte, n)
		for i := range metadata {
			metadata[i] = byte(i)
		}
		path, _ := saved(t, f, metadata)
		g := verified(t, path)
		if !bytes.Equal(g.Header().Metadata, metadata) || !g.Equal(f) {
			t.Errorf("%d bytes of metadata: read %d", n, len(g.Header().Metadata))
		}
	}
}

// A writer that panics, because its own source does, leaves no temporary file.
func TestSaveThatPanicsLeavesNothing(t *testing.T) {
	t.Parallel()
	path, before := saved(t, filled(t, saveParams, 100), nil)
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	view := f.View() // has no guard, and is used after Close here
	f.Close()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("a file that is not mapped does not fault")
	}
	if err := caughtFault(func() { Save(path, view, nil) }); err == nil {
		t.Fatal("no panic")
	}
	if names := leftovers(t, path); len(names) > 0 || !bytes.Equal(contentOf(t, path), before) {
		t.Fatalf("left behind: %v", names)
	}
	runtime.KeepAlive(f) // keeps its addresses
}

// Whoever opens a file while others replace it finds one of the filters, whole.
func TestAFileIsWholeWhileItIsReplaced(t *testing.T) {
	t.Parallel()
	p := blocked.Params{Blocks: 3000, K: 6}
	filters := []*blocked.Filter{filled(t, p, 100), filled(t, p, 20_000), filled(t, blocked.Params{Blocks: 70, K: 3}, 300)}
	path, _ := saved(t, filters[0], []byte{0})
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for i, f := range filters {
		writers.Go(func() {
			for range rounds(30) {
				if err := Save(path, f, []byte{byte(i)}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				f, err := Open(path, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if i := f.Header().Metadata[0]; !f.Equal(filters[i]) {
					t.Errorf("not filter %d, which it says it is", i)
				}
				f.Close()
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if names := leftovers(t, path); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// What a file says of a filter is what the filter knows of itself, whatever kind
// it is.
func TestSaveTakesEveryKindOfFilter(t *testing.T) {
	t.Parallel()
	plain, err := blocked.New(1000, 0.01, blocked.WithSeed(3))
	if err != nil {
		t.Fatal(err)
	}
	plain.AddUint64s(span(0, 500))
	atomic, err := blocked.NewAtomic(1000, 0.01, blocked.WithSeed(3))
	if err != nil {
		t.Fatal(err)
	}
	atomic.AddUint64s(span(0, 500))
	path, _ := saved(t, plain, nil)
	file := verified(t, path)
	filters := map[string]blocked.Viewer{"Filter": plain, "AtomicFilter": atomic, "View": plain.View(), "File": file}
	shared, err := CreateLike(filepath.Join(t.TempDir(), "s"), plain)
	if err == nil {
		defer shared.Close()
		shared.AddUint64s(span(0, 500))
		filters["Shared"] = shared
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	for name, f := range filters {
		path, _ := saved(t, f, nil)
		g := verified(t, path)
		h := g.Header()
		if !g.Equal(plain) || h.Params != plain.Params() {
			t.Errorf("%s: another filter", name)
		}
		wantCapacity, wantRate := uint64(1000), 0.01
		if name == "View" {
			wantCapacity, wantRate = 0, 0
		}
		if h.Capacity != wantCapacity || h.FPRate != wantRate || h.CountState != blocked.Estimate || h.InUse {
			t.Errorf("%s: %+v", name, h)
		}
		if name != "Shared" && (h.Count < 480 || h.Count > 520) {
			t.Errorf("%s: about %d keys, want 500", name, h.Count)
		}
	}
}
