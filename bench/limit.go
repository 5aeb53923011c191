package main

// Nothing that reads a random line per key can be faster than a loop that does
// nothing else. touch and touchAhead are that loop, without and with
// prefetching; they differ by what the CPU can keep in flight by itself.

// limitAhead is how many keys the loop with prefetching runs ahead.
const limitAhead = 96

// limitBatch bounds the time of one call of assembly, which cannot be preempted.
const limitBatch = 1024

// touch reads 8 bytes of the line of each hash in data, which is a whole number
// of lines, and returns the sum of what it read.
func touch(data []byte, hashes []uint64) uint64 {
	var sum uint64
	for len(hashes) > 0 {
		n := min(limitBatch, len(hashes))
		sum += touchLines(data, hashes[:n])
		hashes = hashes[n:]
	}
	return sum
}

// touchAhead works like touch and prefetches.
func touchAhead(data []byte, hashes []uint64) uint64 {
	var sum uint64
	for len(hashes) > limitAhead {
		n := min(limitBatch, len(hashes)-limitAhead)
		sum += touchLinesAhead(data, hashes[:n+limitAhead])
		hashes = hashes[n:]
	}
	return sum + touch(data, hashes)
}

// touchLinesGo works like touch.
func touchLinesGo(data []byte, hashes []uint64) uint64 {
	lines := uint64(len(data) / 64)
	var sum uint64
	for _, h := range hashes {
		at := uint64(uint32(h)) * lines >> 32 * 64
		line := data[at:][:8]
		for i, c := range line {
			sum += uint64(c) << (8 * i)
		}
	}
	return sum
}

// limits returns both loops over the memory of a filter, so that they find the
// same pages in the same places. sink keeps their sums alive.
func limits(f *linebloom, hashes []uint64, sink *uint64) []contender {
	data := f.filter.Blocks()
	return []contender{
		{name: "limit: touch lines", keys: len(hashes), noRate: true, pass: func() int {
			*sink += touch(data, hashes)
			return 0
		}},
		{name: "limit: touch lines, prefetched", keys: len(hashes), noRate: true, pass: func() int {
			*sink += touchAhead(data, hashes)
			return 0
		}},
	}
}
