package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// watchMemory returns a function that returns the most memory that a running process
// has had, in bytes, or 0 where the system does not say. What wait4 returns is no
// use: it counts the memory of this program, which the process began as a copy of.
func watchMemory(pid int) func() int {
	done, most := make(chan struct{}), make(chan int)
	go func() {
		peak := 0
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			peak = max(peak, peakMemory(pid))
			select {
			case <-tick.C:
			case <-done:
				tick.Stop()
				most <- peak
				return
			}
		}
	}()
	return func() int {
		close(done)
		return <-most
	}
}

// peakMemory reads the most memory that a process has had so far.
func peakMemory(pid int) (bytes int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}
