// Package asm decides, once and in one place, which kernel runs on this CPU,
// and gives the layers above one set of functions that work like those of
// package generic. It knows blocks, hashes and probes, and nothing of filters.
//
// A kernel runs only if both klauspost/cpuid (the silicon and the operating
// system) and golang.org/x/sys/cpu allow it. The latter obeys the GODEBUG
// environment variable: cpu.avx2=off leaves the Go code, cpu.avx512f=off or
// cpu.avx512=off leaves AVX2, cpu.avx512bitalg=off leaves AVX-512 without BITALG,
// cpu.asimd=off turns NEON off. Builds with the tag
// purego and with the race detector always run the Go code.
//
// The choice is made by branches and direct calls. A call through a func value
// would move the buffers of the caller to the heap, since the compiler could
// not know what the callee does with them.
package asm
