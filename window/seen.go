package window

import (
	"slices"

	"github.com/linebloom/linebloom/blocked"
)

// Seen adds key and reports whether it was there within the window: false means
// that it certainly was not.
//
// Of all concurrent calls with one key at most one returns false: it was not there,
// and this call added it. One does unless the bits of other keys made the key look
// present, a false positive, or a generation ended between these calls: each of two
// may then take the other for the first.
func (s *Sliding) Seen(key []byte) bool {
	return s.SeenHash(blocked.HashKey(s.seed, key))
}

// SeenString is Seen of the bytes of key.
func (s *Sliding) SeenString(key string) bool {
	return s.SeenHash(blocked.HashString(s.seed, key))
}

// SeenUint64 is Seen of the eight little-endian bytes of key.
func (s *Sliding) SeenUint64(key uint64) bool {
	return s.SeenHash(blocked.HashUint64(s.seed, key))
}

// SeenHash is Seen of the key whose blocked.HashKey, with the seed of Params, is h.
//
// Why at most one of all calls with one key within a window returns false: a call
// tests all generations of a state but those to which it was the first to add the
// key, then adds the key to the newest, and returns false only if
//
//   - it found the key in none that it tested,
//   - it was the first to add it to the newest, of which TestAndAdd knows one, and
//   - after that, the state was still the current one.
//
// Suppose that A and B both returned false, and that the newest generations of the
// states in which they ended are a and b. If a is b, they both were the first to add
// the key to it. Contradiction. Otherwise let a be older, and still be a
// generation of B's state: if not, a window has passed between them. B was not the
// first to add the key to a, since A was, so it tested a and missed a bit of
// the key. It did so after its state had become the current one. So A added that bit
// later than that, and found its own state to be current after it had done so.
// Contradiction.
//
// (Adding a bit, and loading and storing a state, are atomic operations, which happen
// in one order for all. Kernels test with plain loads, but after loading the state.)
func (s *Sliding) SeenHash(h uint64) bool {
	return s.seen(s.due(), h)
}

// seen is SeenHash that begins with a state.
func (s *Sliding) seen(st *state, h uint64) bool {
	seen, added := st.see(h, nil)
	if s.state.Load() != st {
		st, seen = s.settle(st, h, seen)
		added = true
	}
	if added {
		s.note(st, 1)
	}
	return seen
}

// see tests the generations but those that are mine, and adds to the newest. It
// reports whether the key was there, and whether it has been added.
func (st *state) see(h uint64, mine []*generation) (seen, added bool) {
	newest := st.gens[0] // which was not the newest of any other state
	if newest.filter.HasHash(h) {
		return true, false
	}
	older := hits(st.views[1:], h)
	if len(mine) > 0 {
		for i, g := range st.gens[1:] {
			if slices.Contains(mine, g) {
				older &^= 1 << i
			}
		}
	}
	if newest.filter.TestAndAddHash(h) {
		return true, false
	}
	newest.use()
	return older != 0, true
}

// hits returns the answers of filters, a bit for each.
func hits(views []blocked.View, h uint64) (answers uint64) {
	if len(views) > 2 {
		var dst [1]uint64
		blocked.HasHashEach(dst[:], views, h)
		return dst[0]
	}
	// The CPU runs ahead to the second filter by itself.
	for i, v := range views {
		if v.HasHash(h) {
			answers |= 1 << (i & 1)
		}
	}
	return answers
}

// settle ends a call that added a key to a state which is no longer the current
// one: it does the same with those that came after, until one is. It returns that
// one.
func (s *Sliding) settle(st *state, h uint64, seen bool) (*state, bool) {
	var mine []*generation // to which this call was the first to add the key
	for now := s.state.Load(); now != st; now = s.state.Load() {
		if !seen {
			mine = append(mine, st.gens[0])
		}
		there, _ := now.see(h, mine)
		st, seen = now, seen || there
	}
	return st, seen
}

// use marks a generation that may hold keys.
func (g *generation) use() {
	if !g.used.Load() { // a line that nobody writes can stay in all caches
		g.used.Store(true)
	}
}

// note counts calls that added something, or sets the timer that forgets it.
func (s *Sliding) note(st *state, calls int) {
	switch {
	case s.limit > 0:
		if st.added.Add(int64(calls)) >= s.limit {
			s.fill(st)
		}
	case s.clock == nil && !s.armed.Load():
		s.arm()
	}
}

// fill ends the newest generation of a state, unless that has happened already.
func (s *Sliding) fill(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Load() == st {
		s.rotate(st.gens[0].number + 1)
	}
}
