// Package mem allocates the memory of filters: zeroed, on cache line
// boundaries and, for large filters, on huge pages where the system has them.
package mem

import "unsafe"

const (
	lineBytes = 64
	lineWords = lineBytes / 8

	// hugeFrom is the size from which huge pages are asked for. Below it a
	// filter spans two of them at most and its page table entries stay cached.
	hugeFrom = 4 << 20
)

// Words returns n zero words, the first of which is on a 64-byte boundary. The
// memory is on Go's heap, so that slices of it keep it alive.
func Words(n int) []uint64 {
	w := make([]uint64, n+lineWords-1)
	// The collector never moves heap memory, so the boundary stays where it is.
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(w))) % lineBytes / 8
	w = w[skip:][:n:n]
	if n*8 >= hugeFrom {
		adviseHuge(Bytes(w))
	}
	return w
}

// Bytes returns the bytes of w, not a copy.
func Bytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}
