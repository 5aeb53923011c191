//go:build purego || race || !(amd64 || arm64)

package asm

import "github.com/linebloom/linebloom/generic"

func vectorKernels() []Kernel { return nil }

// Has works like generic.Has.
func Has(t generic.Table, h uint64) bool {
	return generic.Has(t, h)
}

// HasEach works like generic.HasEach.
func HasEach(dst []uint64, tables []generic.Table, h uint64) {
	generic.HasEach(dst, tables, h)
}

// HasHashes works like generic.HasHashes.
func HasHashes(dst []uint64, t generic.Table, hashes []uint64) {
	generic.HasHashes(dst, t, hashes)
}

// AddHashes works like generic.AddHashes.
func AddHashes(t generic.Table, hashes []uint64) {
	generic.AddHashes(t, hashes)
}

// HashUint64s works like generic.HashUint64s.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	generic.HashUint64s(dst, seed, keys)
}
