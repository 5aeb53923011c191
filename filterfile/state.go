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
// the count's state (its first byte), the sign that the file is in use (its
// second) and the number of those who use it (the rest). Both are little-endian.
type state struct {
	count *uint64
	word  *uint32
}

// The bits of the word.
const (
	stateBits = 0xff
	inUse     = 1 << 8
	oneUser   = 1 << 16
	allUsers  = 0xffff << 16
)

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

// change replaces the word by what next makes of it.
func (s state) change(next func(word uint32) uint32) {
	for {
		old := atomic.LoadUint32(s.word)
		word := little32(next(little32(old)))
		if word == old || atomic.CompareAndSwapUint32(s.word, old, word) {
			return
		}
	}
}

// worsen makes the count's state at least c: exact, estimate, indeterminate. What
// is not a state, after a crash, counts as estimate.
func (s state) worsen(c format.CountState) {
	s.change(func(word uint32) uint32 {
		now := format.CountState(word & stateBits)
		if now < format.Exact || now > format.Indeterminate {
			now = format.Estimate
		}
		return word&^stateBits | uint32(max(now, c))
	})
}

// use marks the file as in use, by one.
func (s state) use() {
	s.change(func(word uint32) uint32 { return word&stateBits | inUse | oneUser })
}

// join counts one more who uses the file. 65535 stays what it is: nobody can say
// then whether all have left.
func (s state) join() {
	s.change(func(word uint32) uint32 {
		if word&allUsers != allUsers {
			word += oneUser
		}
		return word | inUse
	})
}

// leave counts one less.
func (s state) leave() {
	s.change(func(word uint32) uint32 {
		if n := word & allUsers; n != 0 && n != allUsers {
			word -= oneUser
		}
		return word
	})
}

// users returns how many have not left. If nobody has the file open, they died.
func (s state) users() uint32 {
	return little32(atomic.LoadUint32(s.word)) / oneUser
}

// sealState writes the state of a closed file to a mapping. The word, with the
// sign that the file is in use, goes last: it is in use for whoever sees a part
// of this, if the process dies here for example.
func sealState(mapped []byte, h *format.Header) {
	var p [format.HeaderBytes]byte
	h.PutState(p[:])
	const at, end = format.AtCountState, format.AtCountState + 4
	copy(mapped[format.AtCount:at], p[format.AtCount:])
	copy(mapped[end:], p[end:])
	atomic.StoreUint32(stateOf(mapped).word, binary.NativeEndian.Uint32(p[at:]))
}
