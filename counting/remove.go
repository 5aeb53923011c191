package counting

import (
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
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
	s := f.stripe(f.blockOf(h))
	s.Lock()
	defer s.Unlock()
	return f.uncount(h)
}

// uncount takes away a key whose lock is held, if it is there.
func (f *Filter) uncount(h uint64) bool {
	if !f.HasHash(h) {
		return false
	}
	block := f.blockOf(h)
	unset := f.blockCounters(block).lower(uint32(h>>32), f.table.K())
	for i, u := range unset {
		if u != 0 {
			word := int(block)*blockWords + i
			f.table.SetWord(word, f.table.Word(word)&^u)
		}
	}
	f.stripe(block).keys--
	return true
}

// RemoveHashes removes a batch of keys, given by their hashes: bit i%64 of
// dst[i/64] becomes what RemoveHash returns for hashes[i]. It returns how many were
// removed. dst is nil if only the number is asked for; otherwise it has at least
// (len(hashes)+63)/64 words, or RemoveHashes panics before it removes anything, and
// the unused bits of the last of these become 0.
func (f *Filter) RemoveHashes(dst []uint64, hashes []uint64) int {
	clearAnswers(dst, len(hashes))
	removed := 0
	for at := 0; at < len(hashes); at += groupKeys {
		answers := f.removeGroup(hashes[at:min(at+groupKeys, len(hashes))])
		removed += bits.OnesCount64(answers)
		if dst != nil {
			dst[at/64] |= answers << (at % 64)
		}
	}
	return removed
}

// removeGroup returns the answers for at most groupKeys keys.
func (f *Filter) removeGroup(hashes []uint64) (answers uint64) {
	var there [1]uint64
	if f.HasHashes(there[:], hashes) == 0 {
		return 0 // without a lock
	}
	g := f.lockGroup(hashes)
	defer f.unlockGroup(&g)
	for i, h := range hashes {
		if there[0]>>i&1 == 1 && f.uncount(h) {
			answers |= 1 << i
		}
	}
	return answers
}

// clearAnswers panics unless dst is nil or has room for the answers for n keys.
func clearAnswers(dst []uint64, n int) {
	if dst != nil {
		generic.CheckAnswers(dst, n)
		clear(dst[:generic.Words(n)])
	}
}

// RemoveKeys removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveKeys(dst []uint64, batch [][]byte) int {
	return f.removeBatch(dst, keys.OfBytes(batch))
}

// RemoveStrings removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveStrings(dst []uint64, batch []string) int {
	return f.removeBatch(dst, keys.OfStrings(batch))
}

// RemoveUint64s removes a batch of keys, with the answers of RemoveHashes.
func (f *Filter) RemoveUint64s(dst []uint64, batch []uint64) int {
	return f.removeBatch(dst, keys.OfUint64s(batch))
}

func (f *Filter) removeBatch(dst []uint64, b keys.Batch) int {
	clearAnswers(dst, b.N)
	var buf [keys.Few]uint64
	removed := 0
	for at := 0; at < b.N; at += len(buf) {
		hashes := buf[:min(len(buf), b.N-at)]
		b.Hash(hashes, f.table.Seed(), at)
		if dst == nil {
			removed += f.RemoveHashes(nil, hashes)
		} else {
			removed += f.RemoveHashes(dst[at/64:], hashes)
		}
	}
	return removed
}
