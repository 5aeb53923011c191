// Package amd64 holds the kernels for x86-64: AVX2 and AVX-512. Each works
// like the function of package generic that its comment names, which is also
// what it is tested against. Package asm decides which of them run; nothing
// else should call them.
//
// The package is empty on other CPUs and under the build tag purego.
package amd64
