//go:build purego || race || !(amd64 || arm64)

package asm

import "github.com/linebloom/linebloom/generic"

func vectorKernels() []Kernel { return nil }

// Has works like generic.Has, or like generic.HasShared if shared is not nil:
// the same memory as data, as words, in which others set bits meanwhile.
func Has(data []byte, shared []uint64, k int, h uint64) bool {
	return goHas(data, shared, k, h)
}

// HasHashes works like generic.HasHashes, or like generic.HasHashesShared if
// shared is not nil, as in Has.
func HasHashes(dst []uint64, data []byte, shared []uint64, k int, hashes []uint64) {
	goHasHashes(dst, data, shared, k, hashes)
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
