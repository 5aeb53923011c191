package generic

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// The operations on whole tables. Where two take part, they have equally many
// blocks. Words of a shared table are read and written one by one: bits that
// are set meanwhile may be seen in some and not in others.

// Union sets in t all bits that are set in other. Words of a shared table that
// have them already are only read.
func Union(t, other Table) {
	if t.Shared() {
		words := t.words()
		for i := range words {
			if x := little(other.Word(i)); x&^atomic.LoadUint64(&words[i]) != 0 {
				atomic.OrUint64(&words[i], x)
			}
		}
		return
	}
	data := t.Data()
	for i := range t.Words() {
		at := data[8*i:]
		binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)|other.Word(i))
	}
}

// Intersect keeps in t the bits that are set in other too.
func Intersect(t, other Table) {
	if t.Shared() {
		words := t.words()
		for i := range words {
			atomic.AndUint64(&words[i], little(other.Word(i)))
		}
		return
	}
	data := t.Data()
	for i := range t.Words() {
		at := data[8*i:]
		binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)&other.Word(i))
	}
}

// Equal reports whether t and other have the same bits.
func Equal(t, other Table) bool {
	for i := range t.Words() {
		if t.Word(i) != other.Word(i) {
			return false
		}
	}
	return true
}

// Clear unsets all bits.
func Clear(t Table) {
	if t.Shared() {
		words := t.words()
		for i := range words {
			atomic.StoreUint64(&words[i], 0)
		}
		return
	}
	clear(t.Data())
}

// OnesCount returns the number of bits that are set.
func OnesCount(t Table) uint64 {
	n := 0
	for i := range t.Words() {
		n += bits.OnesCount64(t.Word(i))
	}
	return uint64(n)
}

// Snapshot copies the bytes of t from at on into p. Both at and the length of p
// are multiples of 8.
func Snapshot(p []byte, t Table, at uint64) {
	if !t.Shared() {
		copy(p, t.Data()[at:])
		return
	}
	words := t.words()[at/8:]
	for i := range len(p) / 8 {
		binary.NativeEndian.PutUint64(p[8*i:], atomic.LoadUint64(&words[i]))
	}
}
