package filterfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// Goroutines add by every method while the file is closed under them. They end
// with ErrClosed and nothing else; what was added before that is there, and the
// file is whole.
func TestCloseBesideAddsEndsThemWithErrClosed(t *testing.T) {
	t.Parallel()
	const (
		goroutines = 4
		farApart   = 500_000_000 // of their keys
	)
	for round := range rounds(30) {
		path, s := create(t, 2_000_000)
		var added [goroutines]int // keys that each goroutine knows it has added
		var begun, wg sync.WaitGroup
		begun.Add(goroutines)
		for g := range goroutines {
			wg.Go(func() {
				r := dice(uint64(round*goroutines + g))
				err := caught(func() {
					for {
						keys := span(g*farApart+added[g], g*farApart+added[g]+1+r.IntN(2000))
						switch r.IntN(5) {
						case 0:
							s.AddUint64s(keys)
						case 1:
							keys = keys[:1]
							s.TestAndAddUint64(keys[0])
						case 2:
							keys = keys[:1]
							s.AddUint64(keys[0])
						case 3:
							hashes := make([]uint64, len(keys))
							for i, key := range keys {
								hashes[i] = blocked.HashUint64(s.Params().Seed, key)
							}
							s.AddHashes(hashes)
						case 4:
							if _, err := s.Len(); err != nil {
								panic(err)
							}
							s.AddUint64s(keys)
							if n := lost(s, keys); n > 0 {
								panic(fmt.Errorf("%d keys are lost at once", n))
							}
						}
						if added[g] == 0 {
							begun.Done()
						}
						added[g] += len(keys)
					}
				})
				if !errors.Is(err, ErrClosed) {
					t.Errorf("ended with %v", err)
				}
			})
		}
		begun.Wait()
		time.Sleep(time.Duration(rand.IntN(int(3 * time.Millisecond))))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		f := verified(t, path)
		for g, n := range added {
			if lost := lost(f, span(g*farApart, g*farApart+n)); lost > 0 {
				t.Fatalf("%d of %d keys of goroutine %d are lost", lost, n, g)
			}
		}
		f.Close()
		os.Remove(path)
	}
}

// The same with look-ups in a file that nobody adds to.
func TestCloseBesideLookUpsEndsThemWithErrClosed(t *testing.T) {
	t.Parallel()
	path, _ := saved(t, filled(t, blocked.Params{Blocks: faultBlocks, K: 6}, 1000), nil)
	for range rounds(10) {
		for _, way := range []string{"VerifyAll", "VerifyLazy"} {
			f, err := Open(path, ways[way])
			if err != nil {
				t.Fatal(err)
			}
			var begun, wg sync.WaitGroup
			begun.Add(4)
			for g := range 4 {
				wg.Go(func() {
					err := caught(func() {
						for begun.Done(); ; {
							switch g {
							case 0:
								f.HasHashes(make([]uint64, 100), hashes)
							case 1:
								if !f.HasUint64(7) {
									panic(errors.New("key 7 is lost"))
								}
							case 2:
								f.SelectHashes(nil, hashes)
							case 3:
								f.FillRatio()
							}
						}
					})
					if !errors.Is(err, ErrClosed) {
						t.Errorf("%s: ended with %v", way, err)
					}
				})
			}
			begun.Wait()
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			wg.Wait()
		}
	}
}

// Of several goroutines that close a file at once one does, and the others are
// told.
func TestAFileIsClosedOnce(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	f, err := Open(path, Options{InUse: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, closes := range []func() error{f.Close, s.Close} {
		var wg sync.WaitGroup
		var ok, told atomic.Int32
		for range 8 {
			wg.Go(func() {
				if err := closes(); err == nil {
					ok.Add(1)
				} else if errors.Is(err, ErrClosed) {
					told.Add(1)
				} else {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if ok.Load() != 1 || told.Load() != 7 {
			t.Errorf("%d closed the file, %d were told that it is closed", ok.Load(), told.Load())
		}
	}
	verified(t, path)
}

// Two who opened one file in the same process are two users, and the second to
// close it makes it whole.
func TestAFileCanBeOpenedTwiceInOneProcess(t *testing.T) {
	t.Parallel()
	path, s := create(t, 1000)
	again, err := OpenShared(path)
	if err != nil || again.Unclean() {
		t.Fatal(err)
	}
	s.TestAndAddUint64(1)
	again.TestAndAddUint64(2)
	if !s.HasUint64(2) || !again.HasUint64(1) {
		t.Error("they do not see each other's keys")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, blocked.ErrUnclean) {
		t.Errorf("in use by one: %v", err)
	}
	again.TestAndAddUint64(3)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	f := verified(t, path)
	if h := f.Header(); lost(f, span(1, 4)) > 0 || h.Count != 3 || h.CountState != blocked.Exact {
		t.Errorf("%+v", h)
	}
}
