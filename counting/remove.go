package counting

import (
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// Remove takes key away once. It returns false, and changes nothing, if the key is
// certainly not there. Remove only what was added: a false positive is removed as
// well, at the cost of other keys.
func (f *Filter) Remove(key []byte) bool {
	return f.RemoveHash(blocked.HashKey(f.table.Seed(), key))
}

// RemoveString is Remove of the bytes of s.
func (f *Filter) RemoveString(s string) bool {
	return f.RemoveHash(blocked.HashString(f.table.Seed(), s))
}

// RemoveUint64 is Remove of the eight little-endian bytes of x.
func (f *Filter) RemoveUint64(x uint64) bool {
	return f.RemoveHash(blocked.HashUint64(f.table.Seed(), x))
}

// RemoveHash is Remove of the key whose blocked.HashKey is h.
func (f *Filter) RemoveHash(h uint64) bool {
	if !f.HasHash(h) {
		return false // it lacked a bit at some moment, and was not there then
	}
	block := f.blockOf(h)
	s := f.stripe(block)
	s.Lock()
	defer s.Unlock()
	if !f.HasHash(h) {
		return false // somebody else removed it meanwhile
	}
	unset := f.blockCounters(block).lower(uint32(h>>32), f.table.K())
	for i, u := range unset {
		if u != 0 {
			word := int(block)*blockWords + i
			f.table.SetWord(word, f.table.Word(word)&^u)
		}
	}
	s.keys--
	return true
}

// RemoveHashes removes a batch of keys, given by their hashes: bit i%64 of
// dst[i/64] becomes what RemoveHash returns for hashes[i]. It returns how many were
// removed. dst is nil if only the number is asked for; otherwise it has at least
// (len(hashes)+63)/64 words, or RemoveHashes panics before it removes anything, and
// the unused bits of the last of these become 0.
func (f *Filter) RemoveHashes(dst []uint64, hashes []uint64) int {
	return removeEach(dst, hashes, f.RemoveHash)
}

// RemoveKeys removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveKeys(dst []uint64, batch [][]byte) int {
	return removeEach(dst, batch, f.Remove)
}

// RemoveStrings removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveStrings(dst []uint64, batch []string) int {
	return removeEach(dst, batch, f.RemoveString)
}

// RemoveUint64s removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveUint64s(dst []uint64, batch []uint64) int {
	return removeEach(dst, batch, f.RemoveUint64)
}

func removeEach[K any](dst []uint64, batch []K, remove func(K) bool) int {
	if dst != nil {
		generic.CheckAnswers(dst, len(batch))
		clear(dst[:generic.Words(len(batch))])
	}
	removed := 0
	for i, key := range batch {
		if remove(key) {
			removed++
			if dst != nil {
				dst[i/64] |= 1 << (i % 64)
			}
		}
	}
	return removed
}
