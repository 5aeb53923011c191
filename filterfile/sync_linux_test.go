package filterfile

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

func init() {
	children["sync"] = func(args []string) error {
		s, err := OpenShared(args[0])
		if err != nil {
			return err
		}
		s.AddUint64(7)
		mark(markBegin)
		err = errKept(s)
		mark(markEnd)
		return err
	}
}

// The error of a disk that fails once is the error of Sync for ever, although the
// disk works again: the system may have dropped what it could not write.
func TestADiskThatFailsOnceFailsSyncForEver(t *testing.T) {
	needStrace(t)
	t.Parallel()
	for _, name := range []string{"msync", "fdatasync"} {
		path, s := create(t, 1000)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path, err := filepath.EvalSymlinks(path)
		if err != nil {
			t.Fatal(err)
		}
		clean := traceChild(t, child(t, "sync", path), path, call{}, "")
		i := slices.IndexFunc(clean.calls, func(c call) bool { return c.name == name })
		if clean.err == nil || i < 0 {
			t.Fatalf("without tampering: %v, %v", clean.err, clean.calls)
		}
		tr := traceChild(t, child(t, "sync", path), path, clean.calls[i], "error=EIO")
		if tr.err != nil || !strings.Contains(tr.hit, "INJECTED") {
			t.Errorf("%s: %v, %q", name, tr.err, tr.hit)
		}
		if _, err := Open(path, Options{}); !errors.Is(err, blocked.ErrUnclean) {
			t.Errorf("%s: the file counts as whole: %v", name, err)
		}
	}
}
