package main

import (
	"bytes"
	"fmt"
	"os"
)

// availableMemory returns how many bytes programs can still get without
// swapping, or 0 if that is not known.
func availableMemory() uint64 {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(info) {
		var kib uint64
		if n, _ := fmt.Sscanf(string(line), "MemAvailable: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}
