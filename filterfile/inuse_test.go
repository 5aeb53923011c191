package filterfile

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// A file may be opened for adding at the moment when somebody checks it. That is a
// file in use then, and not a damaged one.
func TestAFileThatOthersBeginToUseIsNotCalledDamaged(t *testing.T) {
	t.Parallel()
	path, s := create(t, 2_000_000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n, r := 0, dice(8); ; n += 1000 {
			select {
			case <-stop:
				return
			default:
			}
			s, err := OpenShared(path)
			if err != nil {
				t.Error(err)
				return
			}
			s.AddUint64s(span(n, n+1000))
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Duration(r.IntN(int(time.Millisecond)))) // it can be opened now
		}
	})
	opened := map[bool]int{}
	for i := range rounds(1000) {
		opts := ways[[]string{"VerifyAll", "VerifyHeader"}[i%2]]
		f, err := Open(path, opts)
		if opened[err == nil]++; err == nil {
			f.Close()
		} else if !errors.Is(err, blocked.ErrUnclean) {
			t.Errorf("opening a file that others open and close: %v", err)
			break
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d times opened, %d times in use", opened[true], opened[false])
}
