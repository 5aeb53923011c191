//go:build !unix

package asm

import "testing"

// guarded has no guard pages to offer on this system.
func guarded(_ testing.TB, n int) (left, right []byte) {
	return make([]byte, n), make([]byte, n)
}
