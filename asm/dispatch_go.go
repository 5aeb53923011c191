//go:build purego || race || !(amd64 || arm64)

package asm

import "github.com/linebloom/linebloom/generic"

func vectorKernels() []Kernel { return nil }

// Has works like generic.Has, or like generic.HasShared if shared is not nil:
// the same memory as the table, as words, in which others set bits meanwhile.
func Has(t generic.Table, shared []uint64, h uint64) bool {
	return goHas(t, shared, h)
}

// HasHashes works like generic.HasHashes, or like generic.HasHashesShared if
// shared is not nil, as in Has.
func HasHashes(dst []uint64, t generic.Table, shared []uint64, hashes []uint64) {
	goHasHashes(dst, t, shared, hashes)
}

// AddHashes works like generic.AddHashes.
func AddHashes(t generic.Table, hashes []uint64) {
	generic.AddHashes(t, hashes)
}

// HashUint64s works like generic.HashUint64s.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	generic.HashUint64s(dst, seed, keys)
}

// Prefetch does nothing: Go has no way to ask for a line.
func Prefetch(generic.Table, uint64) {}
