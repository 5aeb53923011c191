package filterfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of a MiB. Tests that look at its free space do
// not run beside others, which start processes: those hold files that were removed
// for a moment.
func smallDisk(t *testing.T) (dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a small disk needs root")
	}
	dir = t.TempDir()
	err := unix.Mount("linebloom-test", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=700")
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOSYS) {
		t.Skip("this root may not mount a small disk: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// free returns how many bytes are free on the disk of dir.
func free(t *testing.T, dir string) uint64 {
	t.Helper()
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	return s.Bfree * uint64(s.Bsize)
}

func TestAFullDiskIsAnErrorOfCreateAndSave(t *testing.T) {
	dir := smallDisk(t)
	path := filepath.Join(dir, "f.lbf")
	empty := free(t, dir)
	if _, err := Create(path, 1_000_000, 0.01); !errors.Is(err, unix.ENOSPC) { // 1.2 MB
		t.Fatalf("Create on a full disk: %v", err)
	}
	if _, err := OpenOrCreate(path, 1_000_000, 0.01); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("OpenOrCreate on a full disk: %v", err)
	}
	if names := leftovers(t, filepath.Join(dir, "x")); len(names) > 0 || free(t, dir) != empty {
		t.Fatalf("left behind: %v and %d bytes", names, empty-free(t, dir))
	}
	large := filled(t, blocked.Params{Blocks: 20_000, K: 6}, 1000)
	if err := Save(path, large, nil); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("Save on a full disk: %v", err)
	}
	if names := leftovers(t, filepath.Join(dir, "x")); len(names) > 0 || free(t, dir) != empty {
		t.Fatalf("left behind: %v and %d bytes", names, empty-free(t, dir))
	}
	// There is room for one filter of this size, and not for the second, which
	// exists beside the first while it is written.
	small := filled(t, blocked.Params{Blocks: 10_000, K: 6}, 1000)
	if err := Save(path, small, nil); err != nil {
		t.Fatal(err)
	}
	before, left := contentOf(t, path), free(t, dir)
	small.AddUint64(1 << 40)
	if err := Save(path, small, nil); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("Save over a file on a full disk: %v", err)
	}
	if names := leftovers(t, path); len(names) > 0 || free(t, dir) != left || !bytes.Equal(contentOf(t, path), before) {
		t.Fatalf("left behind: %v and %d bytes", names, left-free(t, dir))
	}
	verified(t, path)
}

// All space of a shared file is there from the start: on a disk that is full now,
// it can be filled and closed, and no add faults.
func TestAddsNeedNoMoreDisk(t *testing.T) {
	dir := smallDisk(t)
	path := filepath.Join(dir, "f.lbf")
	s, err := Create(path, 500_000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, free(t, dir))
	write(t, filepath.Join(dir, "rest"), rest)
	if n := free(t, dir); n > 0 {
		t.Fatalf("%d bytes are free", n)
	}
	keys := span(0, 500_000)
	s.AddUint64s(keys)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f := verified(t, path)
	if n := lost(f, keys); n > 0 {
		t.Errorf("%d keys are lost", n)
	}
	f.Close()
}
