//go:build unix

package asm

import (
	"os"
	"runtime/debug"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded returns n bytes that begin right behind a page that cannot be read
// or written, and n bytes that end right before one: a kernel that touches a
// byte outside crashes the test.
func guarded(t testing.TB, n int) (left, right []byte) {
	page := os.Getpagesize()
	inner := (n + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, inner+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap of %d bytes: %v", inner+2*page, err)
	}
	t.Cleanup(func() { unix.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+inner:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatalf("mprotect of a guard page: %v", err)
		}
	}
	body := all[page : page+inner]
	return body[:n:n], body[inner-n:]
}

// The guard pages are what the other tests believe them to be.
func TestGuardPagesCannotBeRead(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	left, right := guarded(t, 100)
	for what, p := range map[string]unsafe.Pointer{
		"before the left end":  unsafe.Add(unsafe.Pointer(&left[0]), -1),
		"behind the right end": unsafe.Add(unsafe.Pointer(&right[0]), 100),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the byte %s was read", what)
				}
			}()
			t.Logf("the byte %s is %d", what, *(*byte)(p))
		}()
	}
}
