package window

import (
	"math/bits"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
)

// chunk is the number of keys that are hashed and tested at a time, a multiple
// of 64. Their hashes are on the stack.
const chunk = 512

// fairShare is what a batch takes of the room that is left in a generation of a
// window by count, at most: one part of this many. With less room its keys are added
// one by one, so that several goroutines do not fill it beyond what it was made for.
const fairShare = 16

// SeenHashes is SeenHash of a batch of keys, in their order: bit i%64 of dst[i/64]
// becomes the answer for hashes[i]. It returns the number of keys that were there. dst
// has at least (len(hashes)+63)/64 words, or SeenHashes panics; the unused bits of
// the last of these become 0, and words behind it stay as they are.
func (s *Sliding) SeenHashes(dst []uint64, hashes []uint64) int {
	generic.CheckAnswers(dst, len(hashes))
	n := 0
	for len(hashes) > 0 {
		part := hashes[:min(chunk, len(hashes))]
		words := dst[:generic.Words(len(part))]
		s.seenChunk(words, part)
		n += countBits(words)
		hashes, dst = hashes[len(part):], dst[len(words):]
	}
	return n
}

// seenChunk is SeenHashes of at most a chunk.
func (s *Sliding) seenChunk(dst []uint64, hashes []uint64) {
	st := s.due()
	if s.limit > 0 && int64(fairShare*len(hashes)) > s.limit-st.added.Load() {
		clear(dst)
		for i, h := range hashes {
			if s.SeenHash(h) {
				dst[i/64] |= 1 << (i % 64)
			}
		}
		return
	}
	s.seenAll(st, dst, hashes)
}

// seenAll is seen of at most a chunk.
func (s *Sliding) seenAll(st *state, dst []uint64, hashes []uint64) {
	added := st.seeAll(dst, hashes)
	if s.state.Load() != st {
		was := st
		for i, h := range hashes {
			var seen bool
			if st, seen = s.settle(was, h, dst[i/64]>>(i%64)&1 != 0); seen {
				dst[i/64] |= 1 << (i % 64)
			}
		}
		added = len(hashes)
	}
	if added > 0 {
		s.note(st, added)
	}
}

// seeAll is see of a batch of keys. It returns how many have been added.
func (st *state) seeAll(dst []uint64, hashes []uint64) (added int) {
	var older, one [chunk / 64]uint64
	for _, v := range st.views[1:] {
		v.HasHashes(one[:], hashes)
		or(older[:], one[:])
	}
	st.views[0].HasHashes(dst, hashes)
	newest := st.gens[0]
	for i, h := range hashes {
		word, bit := &dst[i/64], uint64(1)<<(i%64)
		if *word&bit != 0 {
			continue
		}
		there := newest.filter.TestAndAddHash(h) // a batch may hold a key twice
		if there || older[i/64]&bit != 0 {
			*word |= bit
		}
		if !there {
			added++
		}
	}
	if added > 0 {
		newest.use()
	}
	return added
}

// HasHashes is HasHash of a batch of keys, with the answers of SeenHashes.
func (s *Sliding) HasHashes(dst []uint64, hashes []uint64) int {
	generic.CheckAnswers(dst, len(hashes))
	n := 0
	for len(hashes) > 0 {
		part := hashes[:min(chunk, len(hashes))]
		words := dst[:generic.Words(len(part))]
		clear(words)
		var one [chunk / 64]uint64
		for _, v := range s.live() {
			v.HasHashes(one[:], part)
			or(words, one[:])
		}
		n += countBits(words)
		hashes, dst = hashes[len(part):], dst[len(words):]
	}
	return n
}

func or(dst, src []uint64) {
	for i := range dst {
		dst[i] |= src[i]
	}
}

func countBits(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// SeenKeys is SeenHashes of keys.
func (s *Sliding) SeenKeys(dst []uint64, batch [][]byte) int {
	return s.ask(dst, keys.OfBytes(batch), true)
}

// SeenStrings is SeenHashes of keys that are strings.
func (s *Sliding) SeenStrings(dst []uint64, batch []string) int {
	return s.ask(dst, keys.OfStrings(batch), true)
}

// SeenUint64s is SeenHashes of keys that are numbers.
func (s *Sliding) SeenUint64s(dst []uint64, batch []uint64) int {
	return s.ask(dst, keys.OfUint64s(batch), true)
}

// HasKeys is HasHashes of keys.
func (s *Sliding) HasKeys(dst []uint64, batch [][]byte) int {
	return s.ask(dst, keys.OfBytes(batch), false)
}

// HasStrings is HasHashes of keys that are strings.
func (s *Sliding) HasStrings(dst []uint64, batch []string) int {
	return s.ask(dst, keys.OfStrings(batch), false)
}

// HasUint64s is HasHashes of keys that are numbers.
func (s *Sliding) HasUint64s(dst []uint64, batch []uint64) int {
	return s.ask(dst, keys.OfUint64s(batch), false)
}

// ask hashes keys and asks for them, with or without adding.
func (s *Sliding) ask(dst []uint64, ks keys.Batch, add bool) int {
	generic.CheckAnswers(dst, ks.N)
	var buf [chunk]uint64
	n := 0
	for at := 0; at < ks.N; at += chunk {
		hashes := buf[:min(chunk, ks.N-at)]
		ks.Hash(hashes, s.seed, at)
		if add {
			n += s.SeenHashes(dst[at/64:], hashes)
		} else {
			n += s.HasHashes(dst[at/64:], hashes)
		}
	}
	return n
}
