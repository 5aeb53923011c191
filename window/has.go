package window

import "github.com/linebloom/linebloom/blocked"

// Has reports whether key was seen within the window: false is certain. It adds
// nothing, and does not make the window of the key any longer.
func (s *Sliding) Has(key []byte) bool {
	return s.HasHash(blocked.HashKey(s.seed, key))
}

// HasString is Has of the bytes of key.
func (s *Sliding) HasString(key string) bool {
	return s.HasHash(blocked.HashString(s.seed, key))
}

// HasUint64 is Has of the eight little-endian bytes of key.
func (s *Sliding) HasUint64(key uint64) bool {
	return s.HasHash(blocked.HashUint64(s.seed, key))
}

// HasHash is Has of the key whose blocked.HashKey, with the seed of Params, is h.
func (s *Sliding) HasHash(h uint64) bool {
	return hits(s.live(), h) != 0
}

// live returns the generations that are not forgotten. It does not rotate: those
// who only read never wait, for a lock or for memory.
//
// The clock is read before the state. Otherwise it could show a time at which all
// of the state is forgotten, and what was seen again meanwhile is not in it.
func (s *Sliding) live() []blocked.View {
	if s.clock == nil {
		return s.state.Load().views
	}
	now := s.clock()
	st := s.state.Load()
	if now < st.end {
		return st.views
	}
	oldest, n := int64(now/s.span)-int64(s.most)+1, 0
	for n < len(st.gens) && st.gens[n].number >= oldest {
		n++
	}
	return st.views[:n]
}
