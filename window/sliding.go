package window

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// A Sliding is a filter that forgets: it remembers the keys of a window that ends
// now. Any number of goroutines use it at the same time, and no call waits for
// memory to be cleared. It needs no Close. Make one with NewSliding.
type Sliding struct {
	state atomic.Pointer[state]

	seed  uint64
	most  int                  // generations
	limit int64                // keys of a generation, in a window by count; or 0
	span  time.Duration        // of a generation, in a window by duration
	clock func() time.Duration // since the beginning, or nil: timers, or a window by count

	armed atomic.Bool // a timer will call tick

	mu        sync.Mutex // of changing the state, and of what follows
	spare     *blocked.AtomicFilter
	preparing bool
}

// A state is the generations of a moment. It never changes, but for the bits of
// its filters and its count: whoever holds one can go on using it.
type state struct {
	gens  []*generation  // newest first; keys are added to that one
	views []blocked.View // of them
	end   time.Duration  // on the clock: from then on this state is too old to add to

	_     [64]byte // apart from what every call reads
	added atomic.Int64
	_     [64]byte
}

// A generation is a filter that had its time as the newest. It is not reused: once
// no state names it the garbage collector takes it, when the last goroutine that
// still reads or writes it is done.
type generation struct {
	filter *blocked.AtomicFilter
	number int64       // the time of a generation begins at number*span on the clock
	used   atomic.Bool // it may hold keys
}

// NewSliding returns a window without keys. The options are those of
// blocked.New; WithMaxBytes bounds each generation. Bad parameters give
// blocked.ErrInvalid, and filters above a limit blocked.ErrTooLarge.
func NewSliding(c Config, opts ...blocked.Option) (*Sliding, error) {
	capacity, fpRate, err := c.size()
	if err != nil {
		return nil, err
	}
	first, err := blocked.NewAtomic(capacity, fpRate, opts...)
	if err != nil {
		return nil, err
	}
	s := &Sliding{seed: first.Params().Seed, most: c.Generations}
	if c.Count > 0 {
		s.limit = int64(capacity)
	} else {
		s.span = time.Duration(divideUp(uint64(c.Duration), c.Generations-1))
	}
	if clock := c.Clock; clock != nil {
		origin := clock()
		s.clock = func() time.Duration { return clock().Sub(origin) }
	}
	s.publish([]*generation{{filter: first}})
	s.replace()
	return s, nil
}

// Params returns the geometry of each generation.
func (s *Sliding) Params() blocked.Params {
	return s.state.Load().views[0].Params()
}

// Bytes returns the memory that the window needs: its generations, and one that
// is kept ready. The generation that was forgotten last is memory too, until the
// garbage collector runs, which it does every two minutes at least.
func (s *Sliding) Bytes() uint64 {
	return uint64(s.most+1) * s.Params().Bytes()
}

// due returns the state to add to now.
func (s *Sliding) due() *state {
	if s.clock == nil {
		return s.state.Load()
	}
	now := s.clock()
	if st := s.state.Load(); now < st.end {
		return st
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if number := int64(now / s.span); number > s.newest().number {
		s.rotate(number)
	}
	return s.state.Load()
}

// newest returns the generation that keys are added to.
func (s *Sliding) newest() *generation {
	return s.state.Load().gens[0]
}

// rotate begins a generation, the spare one or a new one, and forgets those whose
// time is over. Its caller holds the lock.
//
// A generation is the newest for a span, G-1 of which are a window, and is
// forgotten when the G-th after it begins. So a key that is added while generation
// n is the newest is remembered for the rest of that span, of which nothing need be
// left, and for G-1 whole ones: a window at least, and G spans at most. A span is
//
//   - with a Clock, the time from n*span to (n+1)*span on it. A call adds to the
//     generation of the time that it reads, or to a later one. Numbers that nobody
//     asked for while their time was have no generation.
//   - with timers, the time from one rotation to the next. The timer is set after
//     a rotation, so that it is never shorter than it should be.
//   - by count, as many additions as a generation was made for. Each call counts
//     for one at most, so the calls that follow are at least as many.
//
// In the last two a call returns only when the generation that it added to was
// still the newest after it had done so.
func (s *Sliding) rotate(number int64) {
	fresh := s.spare
	if fresh == nil {
		fresh = s.newest().filter.NewLike() // rather than wait
	}
	s.spare = nil
	gens := []*generation{{filter: fresh, number: number}}
	for _, g := range s.state.Load().gens {
		if g.number > number-int64(s.most) {
			gens = append(gens, g)
		}
	}
	s.publish(gens)
	s.replace()
}

// publish makes these the generations.
func (s *Sliding) publish(gens []*generation) {
	st := &state{gens: gens, end: math.MaxInt64}
	for _, g := range gens {
		st.views = append(st.views, g.filter.View())
	}
	if begin := gens[0].number; s.span > 0 && begin < math.MaxInt64/int64(s.span) {
		st.end = time.Duration(begin+1) * s.span
	}
	s.state.Store(st)
}

// replace has the next generation made ready, so that whoever rotates finds it.
// Its caller holds the lock, or nobody else has s.
func (s *Sliding) replace() {
	if s.preparing {
		return
	}
	s.preparing = true
	like := s.newest().filter
	go func() {
		next := like.NewLike()
		next.Clear() // touches all pages, so that nobody who adds has to wait for one
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spare, s.preparing = next, false
	}()
}
