package window

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// pause leaves the CPU to others.
func pause() { time.Sleep(10 * time.Microsecond) }

// Several goroutines store each key and then add it, while others read and the
// filter is rebuilt from the store again and again. No key whose adding has ended is
// ever missing, and no rebuild forgets one.
func TestNothingIsLostInAThousandSwaps(t *testing.T) {
	const writers, readers, swaps, perSwap = 2, 1, 1000, 1
	l := live(t, 1)
	var store struct {
		sync.RWMutex
		keys []uint64
	}
	var added [writers]atomic.Uint64 // keys that each has added
	key := func(writer int, i uint64) uint64 { return uint64(writer)<<40 | i }
	var begun, swapped atomic.Uint64
	var wg sync.WaitGroup
	wg.Go(func() { // adds keys that nobody stores, which only the rebuild after this one may forget
		for i := uint64(0); swapped.Load() < swaps; i++ {
			for i > 100*swapped.Load() && swapped.Load() < swaps {
				pause()
			}
			before, st := begun.Load(), l.state.Load()
			l.AddUint64(1<<50 + i)
			if there := l.HasUint64(1<<50 + i); !there && (st.next != nil || st.noted != nil) && begun.Load() == before {
				t.Errorf("key %#x is missing at once", 1<<50+i)
				return
			}
		}
	})
	for w := range writers {
		wg.Go(func() {
			r := dice(uint64(w))
			for i := uint64(0); swapped.Load() < swaps; {
				if i >= (swapped.Load()+1)*perSwap { // keys come during all of the swaps
					pause()
					continue
				}
				batch := span(key(w, i), key(w, i+1+r.Uint64N(3)))
				store.Lock()
				store.keys = append(store.keys, batch...)
				store.Unlock()
				if len(batch) == 1 {
					l.AddUint64(batch[0])
				} else {
					l.AddUint64s(batch)
				}
				i += uint64(len(batch))
				added[w].Store(i)
				if missing(l, batch[0], key(w, i)) > 0 {
					t.Errorf("keys from %#x on are missing at once", batch[0])
					return
				}
			}
		})
	}
	for w := range readers {
		wg.Go(func() {
			r := dice(uint64(100 + w))
			for swapped.Load() < swaps {
				writer := r.IntN(writers)
				n := added[writer].Load()
				from := r.Uint64N(n + 1)
				if to := min(n, from+20); missing(l, key(writer, from), key(writer, to)) > 0 {
					t.Errorf("some keys from %#x to %#x, of %d, are missing", key(writer, from), key(writer, to), n)
					return
				}
				pause()
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range swaps {
		begun.Add(1)
		source := func(yield func([]byte, error) bool) {
			store.RLock()
			keys := store.keys[:len(store.keys):len(store.keys)]
			store.RUnlock()
			for _, key := range keys {
				if !yield(little(key), nil) {
					return
				}
			}
		}
		opts := RebuildOptions{}
		if swapped.Load()%2 == 0 {
			opts.Capacity = 100_000
		}
		if swapped.Load()%10 == 9 { // some fail, at the end
			if err := l.Rebuild(t.Context(), func(yield func([]byte, error) bool) {
				source(yield)
				yield(nil, ctx.Err())
			}, opts); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			begun.Add(1)
		}
		if err := l.Rebuild(t.Context(), source, opts); err != nil {
			t.Error(err)
		}
		swapped.Add(1)
	}
	wg.Wait()
	for w := range writers {
		n := added[w].Load()
		if lost := missing(l, key(w, 0), key(w, n)); lost > 0 {
			t.Errorf("%d of %d keys of writer %d are lost", lost, n, w)
		}
	}
	t.Logf("%d swaps, %d and %d keys", swaps, added[0].Load(), added[1].Load())
}
