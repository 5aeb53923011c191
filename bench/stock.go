package main

import (
	"runtime/debug"
	"time"
)

// chunk is the number of hashes that are made at a time for filters above
// wholeMax, whose hashes would not fit into memory beside them.
const (
	chunk    = 1 << 24
	wholeMax = 512 << 20
)

// A stock keeps hashes and filled rivals for the experiments that follow, since
// filling the large ones takes longer than asking them.
type stock struct {
	hashes []uint64
	built  map[stockKey]built
}

type stockKey struct {
	name  string
	bytes int
}

// built is a rival that holds the first keys hashes of the sequence.
type built struct {
	rival
	keys int
	took time.Duration // to build it
}

// first returns the first n hashes of the sequence.
func (s *stock) first(n int) []uint64 {
	if len(s.hashes) < n {
		s.hashes = hashesFrom(0, n)
	}
	return s.hashes[:n:n]
}

// get returns the rival of a class, filled at the usual density.
func (s *stock) get(c class, bytes int) built {
	r := c.new()
	key := stockKey{r.Name(), bytes}
	if b, ok := s.built[key]; ok {
		return b
	}
	b := built{rival: r, keys: keysFor(bytes)}
	if g, ok := r.(growing); ok && bytes > wholeMax {
		b.took = fillInChunks(g, b.keys, bytes)
	} else {
		hashes := s.first(b.keys)
		start := time.Now()
		r.Build(hashes, bytes)
		b.took = time.Since(start)
	}
	if s.built == nil {
		s.built = map[stockKey]built{}
	}
	s.built[key] = b
	return b
}

// fillInChunks is Build for more hashes than there is memory for.
func fillInChunks(g growing, keys, bytes int) time.Duration {
	start := time.Now()
	g.Make(keys, bytes)
	return time.Since(start) + inChunks(keys, chunk, g.Add)
}

// inChunks hands the first keys hashes of the sequence to add, so many at a
// time, and returns how long add took. What it leaves is given back to the system
// between chunks, and the collector rests while the clock runs.
func inChunks(keys, size int, add func(hashes []uint64)) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var took time.Duration
	hashes := make([]uint64, min(size, keys))
	for at := 0; at < keys; at += len(hashes) {
		hashes = hashes[:min(size, keys-at)]
		for i := range hashes {
			hashes[i] = hashAt(uint64(at + i))
		}
		debug.FreeOSMemory()
		start := time.Now()
		add(hashes)
		took += time.Since(start)
	}
	return took
}

// keysFor returns how many keys a filter holds unless said.
func keysFor(bytes int) int { return bytes / bitsPerKey * 8 }

// linebloom returns a filled filter with k = 6.
func (s *stock) linebloom(bytes int) *linebloom {
	return s.get(classes[0], bytes).rival.(*linebloom)
}

// blobloom returns a filled filter of equal bytes.
func (s *stock) blobloom(bytes int) *blobloomRival {
	return s.get(classes[1], bytes).rival.(*blobloomRival)
}
