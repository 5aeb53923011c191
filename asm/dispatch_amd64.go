//go:build !purego && !race

package asm

import (
	"os"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"github.com/linebloom/linebloom/amd64"
	"github.com/linebloom/linebloom/generic"
	"golang.org/x/sys/cpu"
)

// The features that the kernels' instructions belong to, no more and no fewer.
var (
	useAVX2 = cpuid.CPU.Supports(cpuid.AVX2) && cpu.X86.HasAVX2

	useAVX512 = useAVX2 && !avx512Off(os.Getenv("GODEBUG")) &&
		cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512VL, cpuid.AVX512DQ) &&
		cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ

	useBITALG = useAVX512 &&
		cpuid.CPU.Supports(cpuid.AVX512BW, cpuid.AVX512BITALG) &&
		cpu.X86.HasAVX512BW && cpu.X86.HasAVX512BITALG
)

// avx512Off tells whether GODEBUG turns all of AVX-512 off. x/sys/cpu knows
// only the names of its parts.
func avx512Off(godebug string) bool {
	off := false
	for setting := range strings.SplitSeq(godebug, ",") {
		switch setting {
		case "cpu.avx512=off":
			off = true
		case "cpu.avx512=on":
			off = false
		}
	}
	return off
}

func vectorKernels() []Kernel {
	var ks []Kernel
	avx512 := Kernel{
		Name:           AVX512,
		Has:            amd64.HasAVX512,
		HasEach:        amd64.HasEachAVX512,
		HasHashes:      amd64.HasHashesAVX512,
		HasHashesAhead: amd64.HasHashesAheadAVX512,
		AddHashes:      amd64.AddHashesAVX512,
		AddHashesAhead: amd64.AddHashesAheadAVX512,
		AddShared:      amd64.AddSharedAVX512,
		AddSharedAhead: amd64.AddSharedAheadAVX512,
		HashUint64s:    amd64.HashUint64sAVX512,
	}
	if useBITALG { // which has batch tests of its own
		bitalg := avx512
		bitalg.Name = BITALG
		bitalg.HasHashes = amd64.HasHashesBITALG
		bitalg.HasHashesAhead = amd64.HasHashesAheadBITALG
		ks = append(ks, bitalg)
	}
	if useAVX512 {
		ks = append(ks, avx512)
	}
	if useAVX2 {
		ks = append(ks, Kernel{
			Name:           AVX2,
			Has:            amd64.HasAVX2,
			HasEach:        amd64.HasEachAVX2,
			HasHashes:      amd64.HasHashesAVX2,
			HasHashesAhead: amd64.HasHashesAheadAVX2,
			AddHashes:      amd64.AddHashesAVX2,
			AddHashesAhead: amd64.AddHashesAheadAVX2,
			AddShared:      addAbsent,
			AddSharedAhead: addAbsent,
			HashUint64s:    amd64.HashUint64sAVX2,
		})
	}
	return ks
}

// Has works like generic.Has. The kernels read shared tables with plain vector
// loads: bits only go from 0 to 1, and x86 loads see every store that happened
// before them.
func Has(t generic.Table, h uint64) bool {
	switch {
	case useAVX512:
		return amd64.HasAVX512(t, h)
	case useAVX2:
		return amd64.HasAVX2(t, h)
	}
	return generic.Has(t, h)
}

// HasEach works like generic.HasEach, and the lines of all tables are asked for
// before the first is tested.
func HasEach(dst []uint64, tables []generic.Table, h uint64) {
	switch {
	case useAVX512:
		amd64.HasEachAVX512(dst, tables, h)
	case useAVX2:
		amd64.HasEachAVX2(dst, tables, h)
	default:
		generic.HasEach(dst, tables, h)
	}
}

// HasHashes works like generic.HasHashes.
func HasHashes(dst []uint64, t generic.Table, hashes []uint64) {
	ahead := worthAhead(t, hashes)
	switch {
	case useBITALG && ahead:
		amd64.HasHashesAheadBITALG(dst, t, hashes)
	case useBITALG:
		amd64.HasHashesBITALG(dst, t, hashes)
	case useAVX512 && ahead:
		amd64.HasHashesAheadAVX512(dst, t, hashes)
	case useAVX512:
		amd64.HasHashesAVX512(dst, t, hashes)
	case useAVX2 && ahead:
		amd64.HasHashesAheadAVX2(dst, t, hashes)
	case useAVX2:
		amd64.HasHashesAVX2(dst, t, hashes)
	default:
		generic.HasHashes(dst, t, hashes)
	}
}

// AddHashes works like generic.AddHashes.
func AddHashes(t generic.Table, hashes []uint64) {
	ahead := worthAhead(t, hashes)
	if t.Shared() {
		switch {
		case useAVX512 && ahead:
			amd64.AddSharedAheadAVX512(t, hashes)
		case useAVX512:
			amd64.AddSharedAVX512(t, hashes)
		case useAVX2:
			addAbsent(t, hashes)
		default:
			generic.AddHashes(t, hashes)
		}
		return
	}
	switch {
	case useAVX512 && ahead:
		amd64.AddHashesAheadAVX512(t, hashes)
	case useAVX512:
		amd64.AddHashesAVX512(t, hashes)
	case useAVX2 && ahead:
		amd64.AddHashesAheadAVX2(t, hashes)
	case useAVX2:
		amd64.AddHashesAVX2(t, hashes)
	default:
		generic.AddHashes(t, hashes)
	}
}

// HashUint64s works like generic.HashUint64s.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	switch {
	case useAVX512:
		amd64.HashUint64sAVX512(dst, seed, keys)
	case useAVX2:
		amd64.HashUint64sAVX2(dst, seed, keys)
	default:
		generic.HashUint64s(dst, seed, keys)
	}
}
