//go:build !amd64 && !arm64

package main

func touchLines(data []byte, hashes []uint64) uint64 {
	return touchLinesGo(data, hashes)
}

// touchLinesAhead does not prefetch: Go has no portable way to.
func touchLinesAhead(data []byte, hashes []uint64) uint64 {
	return touchLinesGo(data, hashes[:len(hashes)-limitAhead])
}
