package window

import "time"

// Where there is no Clock a timer rotates, from the first key until all keys are
// forgotten. A window that nobody uses is garbage after that, although nobody has
// closed it.

// arm sets the timer if it is not set.
func (s *Sliding) arm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.armed.Swap(true) {
		time.AfterFunc(s.span, s.tick)
	}
}

// tick rotates if there is anything to forget.
func (s *Sliding) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.used() {
		// Who adds a key marks its generation and then looks whether the timer is
		// set. Here it is the other way round: one of the two sees the other.
		s.armed.Store(false)
		if !s.used() || s.armed.Swap(true) {
			return
		}
	}
	s.rotate(s.newest().number + 1)
	time.AfterFunc(s.span, s.tick)
}

// used reports whether any generation may hold keys.
func (s *Sliding) used() bool {
	for _, g := range s.state.Load().gens {
		if g.used.Load() {
			return true
		}
	}
	return false
}
