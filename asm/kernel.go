package asm

import "github.com/linebloom/linebloom/generic"

// Kernel is one implementation of the operations, for tests, fuzzing,
// benchmarks and tools. Each function works like the one of package generic
// that has its name; those with Ahead work like the ones without and prefetch.
type Kernel struct {
	Name           string
	Has            func(t generic.Table, h uint64) bool
	HasEach        func(dst []uint64, tables []generic.Table, h uint64)
	HasHashes      func(dst []uint64, t generic.Table, hashes []uint64)
	HasHashesAhead func(dst []uint64, t generic.Table, hashes []uint64)
	AddHashes      func(t generic.Table, hashes []uint64)
	AddHashesAhead func(t generic.Table, hashes []uint64)
	AddShared      func(t generic.Table, hashes []uint64) // AddHashes on a shared table
	AddSharedAhead func(t generic.Table, hashes []uint64)
	HashUint64s    func(dst []uint64, seed uint64, keys []uint64)
}

// Names of the kernels.
const (
	Go     = "go"
	AVX2   = "avx2"
	AVX512 = "avx512"
	BITALG = "avx512bitalg" // AVX-512 with its BITALG instructions
	NEON   = "neon"
)

var goKernel = Kernel{
	Name:           Go,
	Has:            generic.Has,
	HasEach:        generic.HasEach,
	HasHashes:      generic.HasHashes,
	HasHashesAhead: generic.HasHashes,
	AddHashes:      generic.AddHashes,
	AddHashesAhead: generic.AddHashes,
	AddShared:      generic.AddHashes,
	AddSharedAhead: generic.AddHashes,
	HashUint64s:    generic.HashUint64s,
}

// Kernels returns the kernels that this CPU and this build can run, best first.
// The last is always the Go code.
func Kernels() []Kernel {
	return append(vectorKernels(), goKernel)
}

// Chosen returns the name of the instruction set in use: the best of Kernels.
func Chosen() string {
	return Kernels()[0].Name
}
