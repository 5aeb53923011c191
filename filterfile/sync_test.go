package filterfile

import (
	"errors"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// errKept reports whether an error goes on as it began: Sync and Close fail with
// the same, whatever the disk says later.
func errKept(s *Shared) error {
	first := s.Sync()
	second := s.Sync()
	last := s.Close()
	switch {
	case first == nil:
		return errors.New("the first Sync returned no error")
	case second != first:
		return errors.New("the first Sync returned " + first.Error() + ", the second another error")
	case !errors.Is(last, first):
		return errors.New("Close does not return the error of Sync")
	}
	return nil
}

func TestAFailedSyncFailsForEver(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	s.AddUint64(7)
	s.file.Close() // whose errors stand for those of a disk
	if err := errKept(s); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, blocked.ErrUnclean) {
		t.Fatalf("after a failed Sync and Close: %v", err)
	}
	again, err := OpenShared(path)
	if err != nil || !again.Unclean() || !again.HasUint64(7) {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	verified(t, path)
}

// A Sync beside Close syncs, or says that the file is closed.
func TestSyncBesideCloseSyncsOrSaysClosed(t *testing.T) {
	t.Parallel()
	for range rounds(20) {
		path, s := create(t, 1000)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					if err := s.Sync(); errors.Is(err, ErrClosed) {
						return
					} else if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		verified(t, path)
	}
}
