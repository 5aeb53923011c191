package filterfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// What is tampered with, and what must hold afterwards. A round is a fresh folder
// with a file of keys 0 to oldKeys-1, except for "create".
var operations = map[string]struct {
	run   func(path string) error
	judge func(t *testing.T, path string, tr trace)
}{
	"save":   {runSave, judgeSave},
	"create": {runCreate, judgeCreate},
	"close":  {runClose, judgeClose},
}

const (
	oldKeys = 5000
	newKeys = 10_000
)

// More than a MiB, so that Save writes it in several calls.
var injectParams = blocked.Params{Blocks: 20_000, K: 6}

func init() {
	for name, op := range operations {
		children[name] = func(args []string) error {
			err := op.run(args[0])
			mark(markEnd)
			return err
		}
	}
}

// harmless are the calls that may fail without an error of the operation: all of
// that name between the marks, or from the second on.
var harmless = []struct {
	op, call string
	from     int
	why      string
}{
	{"save", "newfstatat", 2, "Go only asks for it to word the error of a rename"},
	{"save", "fstatat64", 2, "the same on 32 bits"},
	{"create", "newfstatat", 1, "it only spares work: linkat finds a file that exists as well"},
	{"create", "fstatat64", 1, "the same on 32 bits"},
	{"create", "unlinkat", 1, "a temporary file too many is not worth taking the new one away"},
	{"create", "close", 2, "of the temporary file, which was synced"},
}

// mayFail reports whether call i may fail.
func mayFail(op string, calls []call, i int) bool {
	nth := 0
	for _, c := range calls[:i+1] {
		if c.name == calls[i].name {
			nth++
		}
	}
	for _, h := range harmless {
		if h.op == op && h.call == calls[i].name && nth >= h.from {
			return true
		}
	}
	return false
}

// runSave saves keys 0 to newKeys-1 over the old file.
func runSave(path string) error {
	f, err := blocked.NewFromParams(injectParams)
	if err != nil {
		return err
	}
	f.AddUint64s(span(0, newKeys))
	mark(markBegin)
	return Save(path, f, []byte("new"))
}

// The path holds the old filter or the new one, whole, at every instant, with the
// mode of the old one.
func judgeSave(t *testing.T, path string, tr trace) {
	f := verified(t, path)
	keys := map[string]int{"old": oldKeys, "new": newKeys}[string(f.Header().Metadata)]
	if keys == 0 || !f.Equal(filled(t, injectParams, keys)) {
		t.Errorf("neither the old filter nor the new one: %+v", f.Header())
	}
	if done := tr.err == nil && !tr.killed; done && keys != newKeys {
		t.Error("Save returned no error, and the old filter is there")
	}
	if info, err := f.file.Stat(); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if names := leftovers(t, path); len(names) > 0 && !tr.killed && !strings.Contains(tr.hit, "unlinkat") {
		t.Errorf("left behind: %v", names)
	}
}

func runCreate(path string) error {
	mark(markBegin)
	s, err := Create(path, newKeys, 0.01)
	if err == nil {
		mark(markEnd) // it is not closed: the process ends
		s.Params()
	}
	return err
}

// There is no file, or an empty filter that can be opened.
func judgeCreate(t *testing.T, path string, tr trace) {
	done := tr.err == nil && !tr.killed
	s, err := OpenShared(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !done:
	case err != nil:
		t.Errorf("the file that is there cannot be opened: %v", err)
	default:
		if n, err := s.Len(); n != 0 || err != nil || s.FillRatio() != 0 || s.Capacity() != newKeys {
			t.Errorf("the new filter has %d keys: %v", n, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		verified(t, path)
	}
	if names := leftovers(t, path); len(names) > 0 && !tr.killed && !strings.Contains(tr.hit, "unlinkat") {
		t.Errorf("left behind: %v", names)
	}
}

// runClose opens the old file, adds keys oldKeys to newKeys-1, syncs, and closes
// it.
func runClose(path string) error {
	mark(markBegin)
	s, err := OpenShared(path)
	if err != nil {
		return err
	}
	s.AddUint64s(span(oldKeys, newKeys))
	mark(markAdded)
	return errors.Join(s.Sync(), s.Close())
}

// The file can be opened, has all keys, is either whole or says that it was not
// closed, and can be closed by the next.
func judgeClose(t *testing.T, path string, tr trace) {
	done := tr.err == nil && !tr.killed
	f, err := Open(path, Options{})
	if err == nil {
		f.Close()
	}
	if err != nil && (done || !errors.Is(err, blocked.ErrUnclean)) {
		t.Errorf("after %v: %v", tr.err, err)
	}
	keys := oldKeys
	if tr.marks[markAdded] {
		keys = newKeys
	}
	s, err := OpenShared(path)
	if err != nil {
		t.Errorf("the file cannot be opened: %v", err)
		return
	}
	if n := lost(s, span(0, keys)); n > 0 {
		t.Errorf("%d of %d keys are lost", n, keys)
	}
	if done && s.Unclean() {
		t.Error("Close returned no error, and the file is unclean")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := lost(verified(t, path), span(0, keys)); n > 0 {
		t.Errorf("%d of %d keys are lost in the end", n, keys)
	}
}

// Every system call of Save, Create, OpenShared, Sync and Close fails once, and
// the process dies once before each: files stay whole, no key is lost, and no
// error is swallowed. A kill before a call is one after the call before it too.
func TestNoSystemCallThatFailsOrIsTheLastDoesHarm(t *testing.T) {
	needStrace(t)
	for name, op := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			round := func(t *testing.T, at call, inject string) (trace, string) {
				dir, err := filepath.EvalSymlinks(t.TempDir()) // strace knows files by their true names
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, "f.lbf")
				if name != "create" {
					old := filled(t, injectParams, oldKeys)
					if err := Save(path, old, []byte("old")); err != nil {
						t.Fatal(err)
					}
					if err := os.Chmod(path, 0o640); err != nil {
						t.Fatal(err)
					}
				}
				return traceChild(t, child(t, name, path), path, at, inject), path
			}
			clean, path := round(t, call{}, "")
			if clean.err != nil || clean.killed || len(clean.calls) < 10 || !clean.marks[markEnd] {
				t.Fatalf("without tampering: %d calls, %v", len(clean.calls), clean.err)
			}
			op.judge(t, path, clean)
			runs := 0
			for i, at := range clean.calls {
				for j, inject := range []string{"signal=SIGKILL", "error=EIO", "error=ENOSPC", "error=EINTR"} {
					if j > 0 && !thorough() && j != 1+i%2 {
						continue
					}
					runs++
					t.Run(at.String()+", "+inject, func(t *testing.T) {
						killed := inject == "signal=SIGKILL"
						tr, path := round(t, at, inject)
						switch {
						case tr.hit == "" || !killed && !strings.Contains(tr.hit, "INJECTED"):
							t.Fatalf("not tampered with: %q", tr.hit)
						case killed != tr.killed:
							t.Fatalf("killed: %v, want %v", tr.killed, killed)
						case !tr.killed && tr.err == nil && inject != "error=EINTR" && !mayFail(name, clean.calls, i):
							t.Error("the error was swallowed")
						}
						op.judge(t, path, tr)
						if t.Failed() {
							t.Logf("%s\nthe child's error: %v", tr.hit, tr.err)
						}
					})
				}
			}
			t.Logf("%d calls, %d runs", len(clean.calls), runs)
		})
	}
}

// A file system that cannot allocate gets zeros.
func TestCreateWritesZerosWhereItCannotAllocate(t *testing.T) {
	needStrace(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.lbf")
	for _, number := range []string{"EOPNOTSUPP", "ENOSYS", "EINTR"} {
		tr := traceChild(t, child(t, "create", path), path, call{"fallocate", 1}, "error="+number)
		if tr.err != nil || !strings.Contains(tr.hit, "INJECTED") {
			t.Fatalf("%s: %v, %q", number, tr.err, tr.hit)
		}
		judgeCreate(t, path, tr)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// What is synced, and when: nothing is renamed, linked or called whole before it is
// on the disk, and no name is promised before its folder is.
func TestSyncsComeInOrder(t *testing.T) {
	needStrace(t)
	t.Parallel()
	want := map[string]string{
		// the file, its name
		"save": "write write fsync renameat fsync",
		"create": "write pwrite64 fsync linkat fsync " +
			"msync", // it is in use, which OpenShared says before the first key
		"close": "msync added " +
			"msync fdatasync " + // Sync
			"msync fdatasync " + // that of Close
			"msync fdatasync " + // checksums
			"msync fdatasync", // the state that vouches for them
	}
	for name := range operations {
		path := filepath.Join(t.TempDir(), "f.lbf")
		if name != "create" {
			if err := Save(path, filled(t, injectParams, oldKeys), nil); err != nil {
				t.Fatal(err)
			}
		}
		tr := traceChild(t, child(t, name, path), path, call{}, "")
		var got []string
		for _, call := range tr.order {
			switch call {
			case "write", "pwrite64", "fsync", "fdatasync", "msync", "linkat", "added":
				got = append(got, call)
			case "rename", "renameat", "renameat2":
				got = append(got, "renameat")
			}
		}
		if got := strings.Join(got, " "); tr.err != nil || got != want[name] {
			t.Errorf("%s: %v\ncalls %s\nwant  %s", name, tr.err, got, want[name])
		}
	}
}
