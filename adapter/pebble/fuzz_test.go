package pebble

import (
	"encoding/binary"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/linebloom/linebloom/blocked"
)

// FuzzMayContain gives the policy any bytes, and its own filters with changes. No
// bytes make it panic. A member is found unless bits of the blocks were cleared.
func FuzzMayContain(f *testing.F) {
	policy := FilterPolicy(10)
	f.Add([]byte(nil), []byte("key"), uint16(0), byte(0))
	f.Add(build(policy, 1), keyOf(nil, 0, true), uint16(64), byte(1))
	f.Add(build(policy, 100), keyOf(nil, 99, true), uint16(140), byte(0xFF))
	f.Fuzz(func(t *testing.T, data, key []byte, at uint16, change byte) {
		policy.MayContain(pebble.TableFilter, data, key)

		// A filter of key and of the bytes of data as keys, one of whose bytes is
		// changed so that no bit of a block is cleared.
		w := policy.NewWriter(pebble.TableFilter)
		w.AddKey(key)
		for rest := data; len(rest) >= 2 && len(rest) > len(data)-2000; rest = rest[2:] {
			w.AddKey(rest[:2])
		}
		filter := w.Finish(nil)
		if !policy.MayContain(pebble.TableFilter, filter, key) {
			t.Fatal("a key is lost")
		}
		i := int(at) % len(filter)
		old := filter[i]
		if i < len(filter)-blocked.CompactTrailer {
			filter[i] |= change
		} else {
			filter[i] ^= change
		}
		if !policy.MayContain(pebble.TableFilter, filter, key) {
			// The check of the trailer has 16 bits and covers what is in them: one
			// changed byte never passes it.
			t.Fatalf("a key is lost by changing byte %d of %d from %#x to %#x", i, len(filter), old, filter[i])
		}
		if !policy.MayContain(pebble.TableFilter, filter[:i], key) && !wholeFilter(filter[:i]) {
			t.Fatalf("a key is lost by cutting the filter to %d of %d bytes", i, len(filter))
		}
	})
}

// wholeFilter reports whether a part of a filter happens to end in what looks like
// a trailer: one part in 2^16 or fewer.
func wholeFilter(b []byte) bool {
	n := len(b)
	return n >= 64+blocked.CompactTrailer && n%64 == blocked.CompactTrailer && b[n-3] == 1 && binary.LittleEndian.Uint16(b[n-2:]) != 0
}
