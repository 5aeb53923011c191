package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseSizes reads a list such as "16KiB,4MiB" and returns bytes, ascending.
func parseSizes(list string) ([]int, error) {
	var sizes []int
	for s := range strings.SplitSeq(list, ",") {
		number, unit := strings.TrimSpace(s), 0
		for i, suffix := range []string{"KiB", "MiB", "GiB"} {
			if rest, ok := strings.CutSuffix(number, suffix); ok {
				number, unit = strings.TrimSpace(rest), 10*(i+1)
			}
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > maxInt>>unit || n<<unit < 1<<10 {
			return nil, fmt.Errorf("%q is not a size of at least 1KiB, such as 16KiB, 4MiB or 1GiB", s)
		}
		sizes = append(sizes, n<<unit)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes), nil
}

// sizeName is the inverse of parseSizes for one size, with a space.
func sizeName(bytes int) string {
	switch {
	case bytes >= 1<<30 && bytes%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", bytes>>30)
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
