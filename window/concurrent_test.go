package window

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// The steps of two calls with one key, with the end of a generation between them,
// in the orders in which they could both return false, or none of them.
func TestOneOfTwoCallsIsTheFirst(t *testing.T) {
	const h = 0x123456789abcdef
	rotate := func(s *Sliding) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.rotate(s.newest().number + 1)
	}
	t.Run("who is late finds the other", func(t *testing.T) {
		s, _ := clocked(t, 100, 3)
		st := s.due() // A begins
		rotate(s)
		if s.SeenHash(h) { // B
			t.Fatal("B finds what A has not added")
		}
		if !s.seen(st, h) {
			t.Error("A and B both were first")
		}
	})
	t.Run("who is late does not find itself", func(t *testing.T) {
		s, _ := clocked(t, 100, 9)
		st := s.due()
		for range 5 {
			rotate(s)
		}
		if s.seen(st, h) {
			t.Error("A takes itself for another")
		}
		if !s.newest().filter.HasHash(h) || !s.newest().used.Load() {
			t.Error("A has not added to the newest generation")
		}
	})
	t.Run("who is late twice", func(t *testing.T) {
		s, _ := clocked(t, 100, 9)
		a := s.due()
		a.see(h, nil)
		rotate(s)
		b := s.state.Load()
		if seen, added := b.see(h, a.gens[:1]); seen || !added {
			t.Error("A takes itself for another")
		}
		rotate(s)
		rotate(s)
		if seen, _ := s.state.Load().see(h, append(b.gens[:1:1], a.gens[0])); seen {
			t.Error("A takes itself for another")
		}
		if seen, _ := s.state.Load().see(h, b.gens[:1]); !seen {
			t.Error("B does not find A")
		}
	})
	t.Run("a batch that is late", func(t *testing.T) {
		s, _ := clocked(t, 100, 3)
		st := s.due()
		rotate(s)
		hashes := []uint64{h, h + 1<<40, h, h + 1<<50}
		if s.SeenHash(hashes[1]) { // B
			t.Fatal("B finds what A has not added")
		}
		var dst [1]uint64
		if s.seenAll(st, dst[:], hashes); dst[0] != 0b0110 { // B was before, and the batch itself
			t.Errorf("answers %04b, want 0110", dst[0])
		}
		for _, h := range hashes {
			if !s.newest().filter.HasHash(h) {
				t.Errorf("%#x has not been added to the newest generation", h)
			}
		}
	})
}

// Goroutines go through the same keys, and each call lets a clock tick that ends
// generations all the time. Two that both were first with a key were so in different
// windows, and what a call added is there until its window ends.
func TestConcurrentCallsAcrossRotations(t *testing.T) {
	const workers, window = 4, 600
	for _, generations := range []int{2, 4, 31} {
		s, clock := clocked(t, window, generations)
		n := uint64(rounds(100_000))
		type call struct{ from, to int64 } // on the clock
		firsts := make([][workers]call, n)
		together(workers, func(w int) {
			r := dice(uint64(w))
			var dst [1]uint64
			for i := uint64(0); i < n; {
				size := uint64(1)
				from := clock.ns.Add(1)
				if r.IntN(4) == 0 {
					size = min(n-i, 8)
					keys := [8]uint64{i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7}
					s.SeenUint64s(dst[:], keys[:size])
				} else if dst[0] = 0; s.SeenUint64(i) {
					dst[0] = 1
				}
				to := clock.ns.Load()
				for j := range size {
					if dst[0]>>j&1 == 0 {
						firsts[i+j][w] = call{from, to}
					}
				}
				if there := s.HasUint64(i); !there && clock.ns.Load() <= from+window {
					t.Errorf("key %d is forgotten at %d, seen at %d", i, clock.ns.Load(), from)
					return
				}
				i += size
			}
		})
		twice, none := 0, 0
		for i := range firsts {
			from, to, calls := int64(1)<<62, int64(0), 0
			for _, c := range firsts[i] {
				if c.from > 0 {
					from, to, calls = min(from, c.from), max(to, c.to), calls+1
				}
			}
			if calls > 1 && to <= from+window {
				twice++
			}
			if calls == 0 {
				none++
			}
		}
		if twice > 0 {
			t.Errorf("%d generations: %d of %d keys were new twice in a window", generations, twice, n)
		}
		if none > int(n)/1000 {
			t.Errorf("%d generations: of %d keys nobody was first", generations, none)
		}
		t.Logf("%d generations: %d keys, %d rotations, %d times nobody was first", generations, n, s.newest().number, none)
	}
}

// The same by count. Every key comes from all goroutines at about the same time.
func TestConcurrentCallsByCount(t *testing.T) {
	const workers, count = 4, 5000
	s := sliding(t, Config{Count: count, FPRate: 1e-6, Generations: 6})
	n := uint64(rounds(200_000))
	firsts := make([]atomic.Int32, n)
	var progress [workers]atomic.Uint64
	together(workers, func(w int) {
		for i := range n {
			for other := range progress { // nobody is so far ahead that a window ends
				for progress[other].Load()+count/4 < i {
					runtime.Gosched()
				}
			}
			if !s.SeenUint64(i) {
				firsts[i].Add(1)
			}
			if i > 500 && !s.HasUint64(i-500) {
				t.Errorf("key %d is forgotten", i-500)
				return
			}
			progress[w].Store(i + 1)
		}
	})
	none := 0
	for i := range firsts {
		if calls := firsts[i].Load(); calls > 1 {
			t.Fatalf("key %d was new %d times", i, calls)
		} else if calls == 0 {
			none++
		}
	}
	if turns := s.newest().number; turns < int64(n/1000)-1 || none > 50 {
		t.Errorf("%d generations ended, and %d keys had no first", turns, none)
	}
}

// Nothing allocates, but for the end of a generation, and no goroutine is left.
func TestSlidingAllocatesNothing(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	s, clock := clocked(t, 1<<40, 3)
	var dst [20]uint64
	keys := make([]uint64, 1200)
	texts := make([]string, len(keys))
	for name, do := range map[string]func(){
		"Seen": func() { s.SeenUint64(keys[0]); s.SeenString("key"); s.Seen([]byte("key")); keys[0]++ },
		"Has":  func() { s.HasUint64(keys[0]); s.HasString("key") },
		"SeenUint64s": func() {
			for i := range keys {
				keys[i] += 1200
			}
			s.SeenUint64s(dst[:], keys)
		},
		"HasStrings": func() { s.HasStrings(dst[:], texts) },
	} {
		if n := testing.AllocsPerRun(100, do); n > 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
	for i := range 100 {
		clock.set(time.Duration(i) << 40)
		s.SeenUint64(1)
	}
	for range 1000 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
}
