// Package arm64 holds the NEON kernels for 64-bit ARM. Each works like the
// function of package generic that its comment names, which is also what it is
// tested against. Package asm decides whether they run; nothing else should
// call them.
//
// The package is empty on other CPUs and under the build tag purego.
package arm64
