package counting_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/counting"
	"github.com/linebloom/linebloom/filterfile"
)

func newFilter(t *testing.T) *counting.Filter {
	t.Helper()
	f, err := counting.New(1000, 0.001, blocked.WithSeed(9))
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings([]string{"apple", "pear", "pear", "plum"})
	f.RemoveString("plum")
	return f
}

func TestSaveAndOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filter.lbf")
	f := newFilter(t)
	for _, metadata := range [][]byte{nil, []byte("of the user"), make([]byte, 1<<16)} {
		if err := f.Save(path, metadata); err != nil {
			t.Fatal(err)
		}
		g, err := counting.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := blocked.Peek(file)
		if file.Close(); err != nil || !bytes.Equal(h.Metadata, metadata) || !h.Counting || h.Count != 3 {
			t.Errorf("%v, or another header", err)
		}
		if !g.Equal(f) || g.Len() != 3 || g.Capacity() != 1000 || g.TargetFPRate() != 0.001 {
			t.Error("another filter")
		}
		if !g.RemoveString("pear") || !g.HasString("pear") || !g.RemoveString("pear") || g.HasString("pear") {
			t.Error("it does not go on counting")
		}
		names, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(names) != 1 {
			t.Errorf("%d files in the folder, want one, %v", len(names), err)
		}
	}
}

func TestSaveAndOpenTellWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "filter.lbf")
	f := newFilter(t)
	if err := f.Save(path, make([]byte, 1<<16+1)); !errors.Is(err, blocked.ErrTooLarge) {
		t.Errorf("too much metadata: %v, want ErrTooLarge", err)
	}
	if err := f.Save(filepath.Join(dir, "none", "x"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v, want ErrNotExist", err)
	}
	if _, err := counting.Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want ErrNotExist", err)
	}
	if _, err := counting.Open(dir); err == nil {
		t.Error("a folder was opened")
	}
	if err := f.Save(path, nil); err != nil {
		t.Fatal(err)
	}
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, p[:len(p)-1], append(bytes.Clone(p), 0), append([]byte{0}, p...)} {
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := counting.Open(path); !errors.Is(err, blocked.ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Errorf("%d bytes: %v, want ErrCorrupt and the path", len(damaged), err)
		}
	}
}

// Files of the two kinds of filters are not taken for each other, and whoever tries
// is told what opens them.
func TestFilesOfPlainFilters(t *testing.T) {
	dir := t.TempDir()
	with, without := filepath.Join(dir, "with"), filepath.Join(dir, "without")
	f := newFilter(t)
	if err := errors.Join(f.Save(with, nil), filterfile.Save(without, f, nil)); err != nil {
		t.Fatal(err)
	}
	_, err := filterfile.Open(with, filterfile.Options{Degraded: true})
	if !errors.Is(err, blocked.ErrUnsupported) || !strings.Contains(err.Error(), "package counting") {
		t.Errorf("filterfile.Open: %v, want ErrUnsupported and what to use", err)
	}
	_, err = counting.Open(without)
	if !errors.Is(err, blocked.ErrUnsupported) || !strings.Contains(err.Error(), "filterfile") {
		t.Errorf("counting.Open: %v, want ErrUnsupported and what to use", err)
	}
	var plain blocked.Filter
	p, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.UnmarshalBinary(p); !errors.Is(err, blocked.ErrUnsupported) {
		t.Errorf("blocked.Filter: %v, want ErrUnsupported", err)
	}
	file, err := filterfile.Open(without, filterfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !file.View().Equal(f.Plain()) || file.Capacity() != 1000 || !file.HasString("pear") || file.HasString("plum") {
		t.Error("the saved bits differ")
	}
}
