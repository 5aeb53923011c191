package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/linebloom/linebloom/blocked"
)

var errNoMemory = errors.New("filter too large for this machine")

// newFilter returns an empty filter, or an error where the allocation would end
// the program.
func newFilter(p blocked.Params) (*blocked.Filter, error) {
	if err := checkMemory(p); err != nil {
		return nil, err
	}
	return blocked.NewFromParams(p)
}

// checkMemory refuses a filter that is larger than the machine's memory.
func checkMemory(p blocked.Params) error {
	if most := machineMemory(); most > 0 && p.Bytes() > most {
		return fmt.Errorf("%w: %s bytes, it has %s of memory; ask for fewer keys, or a higher rate",
			errNoMemory, thousands(p.Bytes()), thousands(most))
	}
	return nil
}

// machineMemory returns the bytes of memory and swap of this machine, or 0 if it
// does not say.
func machineMemory() uint64 {
	text, _ := os.ReadFile("/proc/meminfo") // there is none but on Linux
	return memoryOf(string(text))
}

// memoryOf returns the bytes of memory and swap in the text of /proc/meminfo, or
// 0 if it does not say.
func memoryOf(text string) (bytes uint64) {
	for line := range strings.Lines(text) {
		var name string
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "%s %d kB", &name, &kilobytes); n < 2 {
			continue
		}
		if name == "MemTotal:" || name == "SwapTotal:" {
			bytes += kilobytes << 10
		}
	}
	return bytes
}
