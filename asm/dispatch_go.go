//go:build purego || race || !(amd64 || arm64)

package asm

import "github.com/linebloom/linebloom/generic"

func vectorKernels() []Kernel { return nil }

// Has works like generic.Has.
func Has(data []byte, k int, h uint64) bool {
	return generic.Has(data, k, h)
}

// HasHashes works like generic.HasHashes.
func HasHashes(dst []uint64, data []byte, k int, hashes []uint64) {
	generic.HasHashes(dst, data, k, hashes)
}

// AddHashes works like generic.AddHashes.
func AddHashes(data []byte, k int, hashes []uint64) {
	generic.AddHashes(data, k, hashes)
}

// HashUint64s works like generic.HashUint64s.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	generic.HashUint64s(dst, seed, keys)
}

// Prefetch does nothing: Go has no way to ask for a line.
func Prefetch([]byte, uint64) {}

// HasShared works like generic.HasShared. data and words are the same memory.
func HasShared(_ []byte, words []uint64, k int, h uint64) bool {
	return generic.HasShared(words, k, h)
}

// HasHashesShared works like generic.HasHashesShared. data and words are the
// same memory.
func HasHashesShared(dst []uint64, _ []byte, words []uint64, k int, hashes []uint64) {
	generic.HasHashesShared(dst, words, k, hashes)
}
