package window

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// A fakeClock shows the time that it is told.
type fakeClock struct{ ns atomic.Int64 }

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *fakeClock) now() time.Time      { return epoch.Add(time.Duration(c.ns.Load())) }
func (c *fakeClock) set(d time.Duration) { c.ns.Store(int64(d)) }

func sliding(t testing.TB, c Config, opts ...blocked.Option) *Sliding {
	t.Helper()
	s, err := NewSliding(c, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// clocked returns a window with a clock.
func clocked(t testing.TB, window time.Duration, generations int) (*Sliding, *fakeClock) {
	t.Helper()
	clock := &fakeClock{}
	return sliding(t, Config{Duration: window, Capacity: 10_000, FPRate: 1e-6, Generations: generations, Clock: clock.now}), clock
}

// dice are random numbers that are the same in every run.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(6, seed)) }

// Random keys at random times, against a map of when each was seen last. The
// clock stands still, ticks, skips whole windows, and goes back.
func TestSlidingAgainstAnExactModel(t *testing.T) {
	for _, c := range []struct {
		window      time.Duration
		generations int
	}{{100, 2}, {100, 3}, {101, 4}, {7, 9}, {1, 2}, {1, 64}, {1000, 64}, {time.Hour, 5}} {
		s, clock := clocked(t, c.window, c.generations)
		span := (c.window + time.Duration(c.generations) - 2) / time.Duration(c.generations-1)
		r := dice(uint64(c.generations))
		type times struct{ last, gone time.Duration } // seen last; and forgotten
		seen := map[uint64]times{}
		var now, top, newest time.Duration // what the clock shows; its latest time; the latest that Seen saw
		wrong := 0
		for i := range rounds(60_000) {
			switch r.IntN(20) {
			case 0, 1, 2:
				now += time.Duration(r.Int64N(int64(span) + 1))
			case 3: // exactly to a boundary
				now = (now/span + 1) * span
			case 4:
				if r.IntN(10) == 0 {
					now += time.Duration(r.Int64N(int64(3*c.window) + 1)) // and many generations at once
				}
			case 5:
				now = max(0, now-time.Duration(r.Int64N(int64(2*c.window)+1)))
			}
			clock.set(now)
			top = max(top, now)
			key := r.Uint64N(300)
			add := r.IntN(3) > 0
			var there bool
			if add {
				there = s.SeenUint64(key)
			} else {
				there = s.HasUint64(key)
			}
			at, known := seen[key]
			if known && !there && top <= at.last+c.window {
				t.Fatalf("%v in %d generations, step %d: key %d is forgotten at %d, seen at %d", c.window, c.generations, i, key, now, at.last)
			}
			if there && (!known || now >= at.gone) {
				wrong++
			}
			if add {
				newest = max(newest, now)
				seen[key] = times{max(at.last, now), newest + time.Duration(c.generations)*span}
			}
		}
		if wrong > 3 { // of one in a million
			t.Errorf("%v in %d generations: %d keys are remembered for too long", c.window, c.generations, wrong)
		}
	}
}

// The first and the last moment of everything.
func TestSlidingAtTheBoundaries(t *testing.T) {
	for _, c := range []struct {
		window      time.Duration
		generations int
		seen        time.Duration
		until, gone time.Duration
	}{
		{100, 2, 0, 199, 200}, {100, 2, 99, 199, 200}, {100, 2, 100, 299, 300},
		{100, 3, 0, 149, 150}, {100, 3, 49, 149, 150}, {100, 3, 50, 199, 200},
		{100, 5, 0, 124, 125}, {100, 5, 24, 124, 125}, {100, 5, 25, 149, 150},
		{101, 4, 0, 135, 136}, {101, 4, 33, 135, 136}, {101, 4, 34, 169, 170}, // spans of 34
		{1, 9, 0, 8, 9}, {1, 9, 1, 9, 10},
	} {
		for _, way := range []string{"in small steps", "at once", "asking only"} {
			s, clock := clocked(t, c.window, c.generations)
			for now := range c.seen { // the generations before
				clock.set(now)
				s.SeenUint64(1)
			}
			clock.set(c.seen)
			if s.SeenString("key") || !s.SeenString("key") {
				t.Fatal("wrong from the beginning")
			}
			step := func(to time.Duration) {
				if way == "in small steps" {
					for now := c.seen; now < to; now++ {
						clock.set(now)
						s.SeenUint64(1)
					}
				}
				clock.set(to)
			}
			step(c.until)
			if !s.HasString("key") {
				t.Errorf("%d generations, %s: seen at %d, forgotten at %d", c.generations, way, c.seen, c.until)
			}
			step(c.gone)
			if s.HasString("key") {
				t.Errorf("%d generations, %s: seen at %d, remembered at %d", c.generations, way, c.seen, c.gone)
			}
			if way != "asking only" && s.SeenString("key") {
				t.Errorf("%d generations, %s: seen at %d, and at %d again", c.generations, way, c.seen, c.gone)
			}
		}
	}
}

// A key that is seen again lives on from then, wherever it was found.
func TestSlidingSeenAgain(t *testing.T) {
	for _, generations := range []int{2, 3, 7} {
		s, clock := clocked(t, 600, generations)
		s.SeenUint64(1)
		for now := time.Duration(600); now < 100_000; now += 600 {
			clock.set(now)
			if !s.SeenUint64(1) {
				t.Fatalf("%d generations: forgotten at %d, seen a window before", generations, now)
			}
		}
	}
}

// A clock that leaps to the end of time, and back to its beginning.
func TestSlidingWithAnOddClock(t *testing.T) {
	for _, window := range []time.Duration{1, time.Hour, 1<<63 - 1} {
		s, clock := clocked(t, window, 3)
		for _, now := range []time.Duration{0, -5, -1 << 63, 1<<63 - 1, 1<<63 - 1, 5, 1<<63 - 2, 0} {
			clock.set(now)
			s.SeenUint64(uint64(now))
			if !s.SeenUint64(uint64(now)) || !s.HasUint64(uint64(now)) {
				t.Errorf("window of %v: what was seen at %d is forgotten at once", window, now)
			}
		}
	}
}

// Rotating takes the filter that was made ready before, and does not wait for one
// that is not ready.
func TestRotatingClearsNothing(t *testing.T) {
	s, clock := clocked(t, 100, 2)
	for turn := range 50 {
		ready := awaitSpare(s)
		clock.set(time.Duration(turn+1) * 100)
		s.SeenUint64(1)
		if s.newest().filter != ready {
			t.Fatalf("turn %d: the new generation is not the one that was ready", turn)
		}
	}
	awaitSpare(s)
	s.mu.Lock()
	s.spare, s.preparing = nil, true // and never done
	s.mu.Unlock()
	for turn := range 5 {
		clock.set(time.Duration(51+turn) * 100)
		s.SeenUint64(uint64(turn))
		if s.newest().number != int64(51+turn) || s.spare != nil {
			t.Fatalf("generation %d is the newest, want %d, made on the spot", s.newest().number, 51+turn)
		}
	}
}

// awaitSpare waits for the goroutine that makes the next generation ready.
func awaitSpare(s *Sliding) *blocked.AtomicFilter {
	for {
		s.mu.Lock()
		spare := s.spare
		s.mu.Unlock()
		if spare != nil {
			return spare
		}
		time.Sleep(10 * time.Microsecond)
	}
}

// Those who only ask do not wait for a rotation that goes on.
func TestReadersNeverWait(t *testing.T) {
	s, clock := clocked(t, 100, 2)
	s.SeenUint64(1)
	s.mu.Lock() // somebody rotates, and takes its time
	defer s.mu.Unlock()
	clock.set(150)
	if !s.HasUint64(1) || s.HasUint64(2) {
		t.Error("wrong answers during a rotation")
	}
	clock.set(250)
	if dst := make([]uint64, 1); s.HasUint64(1) || s.HasUint64s(dst, []uint64{1, 2}) != 0 {
		t.Error("remembered after its time, in a window that nobody rotated")
	}
}

// A window by count remembers a key for the calls that follow it, and its
// generations are never fuller than they were made for.
func TestSlidingByCountAgainstAnExactModel(t *testing.T) {
	for _, c := range []struct{ count, generations int }{{1, 2}, {2, 2}, {100, 2}, {100, 3}, {101, 5}, {5, 64}, {3000, 4}} {
		s := sliding(t, Config{Count: uint64(c.count), FPRate: 1e-6, Generations: c.generations})
		r := dice(uint64(c.count))
		last := map[uint64]int{} // the number of the latest call with a key
		for call := range rounds(30_000) {
			key := r.Uint64N(uint64(r.IntN(4*c.count) + 1)) // small ones more often
			there := s.SeenUint64(key)
			if at, known := last[key]; known && !there && call-at <= c.count {
				t.Fatalf("the last %d in %d generations: key %d is forgotten after %d calls", c.count, c.generations, key, call-at)
			}
			last[key] = call
			if st := s.state.Load(); st.added.Load() >= s.limit || len(st.gens) > c.generations {
				t.Fatalf("%d keys in a generation of %d, %d generations", st.added.Load(), s.limit, len(st.gens))
			}
		}
		// New keys, and only those, drive out the old ones.
		s.SeenString("old")
		for range 10 * c.count {
			s.SeenString("hot")
		}
		if s.limit > 2 && !s.HasString("old") {
			t.Errorf("the last %d in %d generations: driven out by one key", c.count, c.generations)
		}
		for key := range uint64(s.limit) * uint64(c.generations) {
			s.SeenUint64(1<<32 + key)
		}
		if s.HasString("old") {
			t.Errorf("the last %d in %d generations: not driven out by %d others", c.count, c.generations, s.limit*int64(c.generations))
		}
	}
}

// Batches give the answers of one key after the other, in their order, and
// rotate at the same time.
func TestSlidingBatches(t *testing.T) {
	for _, c := range []Config{
		{Count: 1000, FPRate: 1e-4},
		{Count: 20_000, FPRate: 1e-4, Generations: 3},
		{Duration: 1000, Capacity: 10_000, FPRate: 1e-4, Generations: 3},
	} {
		clock := &fakeClock{}
		if c.Duration > 0 {
			c.Clock = clock.now
		}
		one, many := sliding(t, c, blocked.WithSeed(7)), sliding(t, c, blocked.WithSeed(7))
		r := dice(3)
		for round := range 40 {
			clock.set(time.Duration(round) * 170)
			numbers := make([]uint64, r.IntN(1500))
			texts, keys := make([]string, len(numbers)), make([][]byte, len(numbers))
			hashes := make([]uint64, len(numbers))
			for i := range numbers {
				numbers[i] = r.Uint64N(1 << 16) // some of them twice
				keys[i] = little(numbers[i])
				texts[i] = string(keys[i])
				hashes[i] = blocked.HashUint64(7, numbers[i])
			}
			words := (len(numbers) + 63) / 64
			want, got := make([]uint64, words), make([]uint64, words+1)
			got[words] = 42
			hits := 0
			var seen, has func(dst []uint64) int
			var ask func(i int) bool
			switch round % 4 {
			case 0:
				seen, has = func(dst []uint64) int { return many.SeenHashes(dst, hashes) }, func(dst []uint64) int { return many.HasHashes(dst, hashes) }
				ask = func(i int) bool { return one.SeenHash(hashes[i]) }
			case 1:
				seen, has = func(dst []uint64) int { return many.SeenKeys(dst, keys) }, func(dst []uint64) int { return many.HasKeys(dst, keys) }
				ask = func(i int) bool { return one.Seen(keys[i]) }
			case 2:
				seen, has = func(dst []uint64) int { return many.SeenStrings(dst, texts) }, func(dst []uint64) int { return many.HasStrings(dst, texts) }
				ask = func(i int) bool { return one.SeenString(texts[i]) }
			case 3:
				seen, has = func(dst []uint64) int { return many.SeenUint64s(dst, numbers) }, func(dst []uint64) int { return many.HasUint64s(dst, numbers) }
				ask = func(i int) bool { return one.SeenUint64(numbers[i]) }
			}
			for i := range numbers {
				if ask(i) {
					want[i/64] |= 1 << (i % 64)
					hits++
				}
			}
			if n := seen(got); n != hits || !slices.Equal(got[:words], want) || got[words] != 42 {
				t.Fatalf("%d keys, round %d: %d hits, want %d", c.Count, round, n, hits)
			}
			// The last keys are there, in batches and one by one.
			tail := min(len(numbers), 300)
			if n := has(got[:words]); n < tail || countBits(got[:words]) != n {
				t.Fatalf("round %d: %d of %d keys are there", round, n, len(numbers))
			}
			for i := range tail {
				i = len(numbers) - 1 - i
				if !many.Has(keys[i]) || !many.HasString(texts[i]) || !many.HasUint64(numbers[i]) || got[i/64]>>(i%64)&1 == 0 {
					t.Fatalf("round %d: key %d is not there", round, i)
				}
			}
		}
		if a, b := one.newest().number, many.newest().number; a != b || a < 2 {
			t.Errorf("%d and %d generations have ended", a, b)
		}
	}
}

func little(x uint64) []byte { return binary.LittleEndian.AppendUint64(nil, x) }

// The rate of the whole answer, over all generations, is what was asked for.
func TestSlidingRate(t *testing.T) {
	for _, generations := range []int{2, 6} {
		const capacity, want = 5000, 0.02
		clock := &fakeClock{}
		s := sliding(t, Config{Duration: 100, Capacity: capacity, FPRate: want, Generations: generations, Clock: clock.now})
		r := dice(1)
		for g := range generations { // all of them full
			clock.set(time.Duration(g) * s.span)
			for range capacity {
				s.SeenHash(r.Uint64())
			}
		}
		hits, n := 0, rounds(400_000)
		for range n {
			if s.HasHash(r.Uint64()) {
				hits++
			}
		}
		chance := 4 / math.Sqrt(want*float64(n))
		if rate := float64(hits) / float64(n); rate > (1.03+chance)*want || rate < (0.9-chance)*want {
			t.Errorf("%d generations: rate %.4f, want %g", generations, rate, want)
		}
		if got := s.Bytes(); got != uint64(generations+1)*s.Params().Bytes() || len(s.state.Load().gens) != generations {
			t.Errorf("%d bytes in %d generations of %d", got, len(s.state.Load().gens), s.Params().Bytes())
		}
	}
}

// together runs f in several goroutines at once.
func together(workers int, f func(worker int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}
