//go:build !purego && !race

package asm

import (
	"github.com/klauspost/cpuid/v2"
	"github.com/linebloom/linebloom/arm64"
	"github.com/linebloom/linebloom/generic"
	"golang.org/x/sys/cpu"
)

// NEON is the only feature that the kernels use. cpuid and x/sys call it ASIMD.
var useNEON = cpuid.CPU.Supports(cpuid.ASIMD) && cpu.ARM64.HasASIMD

func vectorKernels() []Kernel {
	if !useNEON {
		return nil
	}
	return []Kernel{{
		Name:           NEON,
		Has:            arm64.HasNEON,
		HasEach:        arm64.HasEachNEON,
		HasHashes:      arm64.HasHashesNEON,
		HasHashesAhead: arm64.HasHashesAheadNEON,
		AddHashes:      arm64.AddHashesNEON,
		AddHashesAhead: arm64.AddHashesAheadNEON,
		AddShared:      addAbsent,
		AddSharedAhead: addAbsent,
		HashUint64s:    arm64.HashUint64sNEON,
	}}
}

// Has works like generic.Has. The kernel reads shared tables with plain vector
// loads: bits only go from 0 to 1, and what happened before the call is visible
// to it.
func Has(t generic.Table, h uint64) bool {
	if useNEON {
		return arm64.HasNEON(t, h)
	}
	return generic.Has(t, h)
}

// HasEach works like generic.HasEach, and the lines of all tables are asked for
// before the first is tested.
func HasEach(dst []uint64, tables []generic.Table, h uint64) {
	if useNEON {
		arm64.HasEachNEON(dst, tables, h)
		return
	}
	generic.HasEach(dst, tables, h)
}

// HasHashes works like generic.HasHashes.
func HasHashes(dst []uint64, t generic.Table, hashes []uint64) {
	switch {
	case useNEON && worthAhead(t, hashes):
		arm64.HasHashesAheadNEON(dst, t, hashes)
	case useNEON:
		arm64.HasHashesNEON(dst, t, hashes)
	default:
		generic.HasHashes(dst, t, hashes)
	}
}

// AddHashes works like generic.AddHashes.
func AddHashes(t generic.Table, hashes []uint64) {
	switch {
	case useNEON && t.Shared():
		addAbsent(t, hashes)
	case useNEON && worthAhead(t, hashes):
		arm64.AddHashesAheadNEON(t, hashes)
	case useNEON:
		arm64.AddHashesNEON(t, hashes)
	default:
		generic.AddHashes(t, hashes)
	}
}

// HashUint64s works like generic.HashUint64s.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	if useNEON {
		arm64.HashUint64sNEON(dst, seed, keys)
		return
	}
	generic.HashUint64s(dst, seed, keys)
}
