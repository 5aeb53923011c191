package filterfile

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// Whatever is at the path, Create leaves it as it is.
func TestCreateNeverTouchesWhatExists(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	dir := filepath.Dir(path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("text"), []byte("not a filter"))
	write(t, at("empty"), nil)
	if err := os.Mkdir(at("folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	names := []string{"f.lbf", "text", "empty", "folder"}
	for link, to := range map[string]string{"link": "text", "dangling": "nothing"} {
		if err := os.Symlink(to, at(link)); err == nil {
			names = append(names, link)
		}
	}
	look := func(name string) (fs.FileInfo, []byte) {
		info, err := os.Lstat(at(name))
		if err != nil {
			t.Fatal(err)
		}
		content, _ := os.ReadFile(at(name))
		return info, content
	}
	for _, name := range names {
		info, content := look(name)
		if s, err := Create(at(name), 10, 0.5); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: Create returns %v, %v", name, s, err)
		}
		if s, err := CreateLike(at(name), filled(t, saveParams, 1)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: CreateLike returns %v, %v", name, s, err)
		}
		after, now := look(name)
		if !os.SameFile(info, after) || info.Mode() != after.Mode() || !info.ModTime().Equal(after.ModTime()) || !bytes.Equal(content, now) {
			t.Errorf("%s has changed", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%d files, want %d: %v", len(entries), len(names), err)
	}
}

// A filter that is refused for its size or parameters leaves no file.
func TestCreateThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	defer s.Close()
	for _, c := range []struct {
		capacity uint64
		rate     float64
		opts     []blocked.Option
		want     error
	}{
		{0, 0.01, nil, blocked.ErrInvalid},
		{1000, 0, nil, blocked.ErrInvalid},
		{1000, 1, nil, blocked.ErrInvalid},
		{1000, math.NaN(), nil, blocked.ErrInvalid},
		{1000, 0.01, []blocked.Option{blocked.WithK(17)}, blocked.ErrInvalid},
		{1000, 0.01, []blocked.Option{blocked.WithMaxBytes(1000)}, blocked.ErrTooLarge},
		{math.MaxUint64, 0.01, nil, blocked.ErrTooLarge},
	} {
		if _, err := Create(path+"2", c.capacity, c.rate, c.opts...); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := OpenOrCreate(path+"2", c.capacity, c.rate, c.opts...); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, missing := range []string{filepath.Join(path, "f"), filepath.Join(filepath.Dir(path), "missing", "f")} {
		if _, err := Create(missing, 1000, 0.01); err == nil {
			t.Errorf("%s was created", missing)
		}
		if _, err := OpenOrCreate(missing, 1000, 0.01); err == nil {
			t.Errorf("%s was created", missing)
		}
	}
	if math.MaxInt == math.MaxInt32 {
		if _, err := Create(path+"2", 1<<31, 0.01); !errors.Is(err, blocked.ErrTooLarge) {
			t.Errorf("more than the CPU can address: %v", err)
		}
	}
	if names := leftovers(t, path); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// CreateLike makes an empty filter that can be united with the one it is like.
func TestCreateLikeCanBeUnited(t *testing.T) {
	t.Parallel()
	f, err := blocked.New(1000, 0.02, blocked.WithSeed(5))
	if err != nil {
		t.Fatal(err)
	}
	f.AddUint64s(span(0, 500))
	path := filepath.Join(t.TempDir(), "f.lbf")
	s, err := CreateLike(path, f)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Len(); n != 0 || err != nil || s.CountState() != blocked.Exact || s.FillRatio() != 0 {
		t.Errorf("the new filter is not empty: %d keys, %v", n, err)
	}
	if s.Params() != f.Params() || s.Capacity() != 1000 || s.TargetFPRate() != 0.02 {
		t.Errorf("%v, %d, %g", s.Params(), s.Capacity(), s.TargetFPRate())
	}
	if err := s.Union(f); err != nil || !s.Equal(f) {
		t.Error(err)
	}
	like, err := CreateLike(path+"2", s)
	if err != nil || like.Params() != f.Params() || like.Capacity() != 1000 || like.CountState() != blocked.Exact {
		t.Error(err)
	}
	fromView, err := CreateLike(path+"3", f.View())
	if err != nil || fromView.Params() != f.Params() || fromView.Capacity() != 0 {
		t.Error(err)
	}
	if err := errors.Join(s.Close(), like.Close(), fromView.Close()); err != nil {
		t.Error(err)
	}
}

// OpenOrCreate creates the file that a symbolic link names, and the next one opens
// it. A link to itself is an error, and no endless loop.
func TestOpenOrCreateFollowsSymbolicLinks(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	defer s.Close()
	dir := filepath.Dir(path)
	link, loop := filepath.Join(dir, "link"), filepath.Join(dir, "loop")
	if err := errors.Join(os.Symlink("target", link), os.Symlink("loop", loop)); err != nil {
		t.Skip(err) // Windows, without the right to
	}
	for i := range 2 {
		s, err := OpenOrCreate(link, 1000, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		s.AddUint64(uint64(i))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is no link any more")
	}
	if n := lost(verified(t, filepath.Join(dir, "target")), span(0, 2)); n > 0 {
		t.Errorf("%d keys are lost", n)
	}
	if _, err := OpenOrCreate(loop, 1000, 0.01); err == nil {
		t.Error("a link to itself is no error")
	}
}

// OpenShared takes nothing but filters, and no folder.
func TestOpenRefusesWhatIsNoFilter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		write(t, path, content)
		return path
	}
	for _, path := range []string{
		dir, at("empty", nil), at("short", []byte("\x89LBF\r\n\x1a\n")), at("text", bytes.Repeat([]byte("text "), 5000)),
		at("zeros", make([]byte, 10_000)), filepath.Join(dir, "missing"),
	} {
		for way, opts := range ways {
			if _, err := Open(path, opts); err == nil {
				t.Errorf("%s: %s was opened", way, path)
			}
		}
		if _, err := OpenShared(path); err == nil {
			t.Errorf("%s was opened", path)
		}
	}
}
