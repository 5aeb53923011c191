//go:build amd64 || arm64

package main

// touchLines works like touchLinesGo.
//
//go:noescape
func touchLines(data []byte, hashes []uint64) uint64

// touchLinesAhead works like touchLinesGo of all hashes but the last limitAhead,
// whose lines it prefetches. There must be more than limitAhead.
//
//go:noescape
func touchLinesAhead(data []byte, hashes []uint64) uint64
