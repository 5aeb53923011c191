package filterfile

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/linebloom/linebloom/internal/format"
)

// state is the second part of the header of a shared file, which the processes
// that use it change with atomic operations: the count of keys, and a word of
// the count's state (its first byte) and the sign that the file is in use (its
// second). Both are little-endian.
type state struct {
	count *uint64
	word  *uint32
}

// stateOf returns the state in a mapping, which begins on a page.
func stateOf(mapped []byte) state {
	return state{
		count: (*uint64)(unsafe.Pointer(&mapped[format.AtCount])),
		word:  (*uint32)(unsafe.Pointer(&mapped[format.AtCountState])),
	}
}

// wordsOf returns the blocks in a mapping as words. offset is a multiple of 64.
func wordsOf(mapped []byte, offset int, bytes uint64) []uint64 {
	body := mapped[offset:][:bytes]
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(body))), bytes/8)
}

var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

func little64(x uint64) uint64 {
	if bigEndian {
		return bits.ReverseBytes64(x)
	}
	return x
}

func little32(x uint32) uint32 {
	if bigEndian {
		return bits.ReverseBytes32(x)
	}
	return x
}

func (s state) add(n uint64) {
	if !bigEndian {
		atomic.AddUint64(s.count, n)
		return
	}
	for {
		old := atomic.LoadUint64(s.count)
		if atomic.CompareAndSwapUint64(s.count, old, little64(little64(old)+n)) {
			return
		}
	}
}

func (s state) load() (uint64, format.CountState) {
	return little64(atomic.LoadUint64(s.count)), format.CountState(little32(atomic.LoadUint32(s.word)))
}

// worsen makes the count's state at least c: exact, estimate, indeterminate. What
// is not a state, after a crash, counts as estimate.
func (s state) worsen(c format.CountState) {
	for {
		old := atomic.LoadUint32(s.word)
		now := format.CountState(little32(old))
		if now < format.Exact || now > format.Indeterminate {
			now = format.Estimate
		}
		word := little32(little32(old)&^0xff | uint32(max(now, c)))
		if word == old || atomic.CompareAndSwapUint32(s.word, old, word) {
			return
		}
	}
}

// use marks the file as in use.
func (s state) use() {
	for {
		old := atomic.LoadUint32(s.word)
		if atomic.CompareAndSwapUint32(s.word, old, little32(little32(old)|1<<8)) {
			return
		}
	}
}
