package main

import (
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2/bloom"
)

// tableFilter is pebble.TableFilter. Importing that package would link a whole
// database.
const tableFilter = 0

// pebbleRival is the filter of pebble's tables: 512-bit blocks. It takes whole
// bits per key, and hashes keys to 32 bits, of which block and probes share
// some: its rates grow with size, and jump where the number of blocks, always
// odd, is next to a power of two.
type pebbleRival struct {
	policy bloom.FilterPolicy
	filter []byte
}

func (*pebbleRival) Name() string { return "pebble" }

// Build does not reach huge pages before the filter is filled, since Finish
// both allocates and fills it. The heap mostly has them already from rivals
// that were built before.
func (r *pebbleRival) Build(hashes []uint64, bytes int) {
	r.policy = bloom.FilterPolicy(bytes * 8 / len(hashes))
	w := r.policy.NewWriter(tableFilter)
	var key [8]byte
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(key[:], h)
		w.AddKey(key[:])
	}
	// With room for the lines, to which it adds one, and their trailer.
	room := make([]byte, 0, bytes+192)
	adviseHeap(bytes)
	r.filter = w.Finish(room)
}

func (r *pebbleRival) Has(hashes []uint64) int {
	var key [8]byte
	hits := 0
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(key[:], h)
		if r.policy.MayContain(tableFilter, r.filter, key[:]) {
			hits++
		}
	}
	return hits
}

func (r *pebbleRival) Bytes() int { return len(r.filter) }
