package mem

import (
	"testing"
	"unsafe"
)

func TestWordsAreAlignedAndZero(t *testing.T) {
	for _, n := range []int{8, 16, 24, 40, 56, 120, 1000, 8 << 10, 1 << 20} {
		for range 5 {
			w := Words(n)
			if len(w) != n || cap(w) != n {
				t.Fatalf("Words(%d): length %d, capacity %d", n, len(w), cap(w))
			}
			if a := uintptr(unsafe.Pointer(&w[0])); a%lineBytes != 0 {
				t.Fatalf("Words(%d) begins at %#x, not on a multiple of %d", n, a, lineBytes)
			}
			for i, x := range w {
				if x != 0 {
					t.Fatalf("Words(%d): word %d is %#x", n, i, x)
				}
			}
		}
	}
}

func TestBytesShareTheMemoryOfTheWords(t *testing.T) {
	w := Words(16)
	b := Bytes(w)
	if len(b) != 128 {
		t.Fatalf("%d bytes, want 128", len(b))
	}
	b[77] = 1
	if w[9] == 0 {
		t.Fatal("a byte that was set does not show in its word")
	}
}
