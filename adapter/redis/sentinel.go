package redis

import (
	"encoding/binary"

	"github.com/linebloom/linebloom/blocked"
)

// Behind the blocks of each shard lies its sentinel:
//
//	offset  size
//	0       8     tag: HashKey, seed 0, of bytes 16..63, little-endian
//	8       1     state: 1 open, 2 frozen
//	9       7     zeros
//	16      8     magic
//	24      16    id of the filter, which is random
//	40      4     number of this shard
//	44      4     number of shards
//	48      8     blocks of this shard
//	56      8     zeros
//
// A shard that was lost has no sentinel, even if a late write made a key of its
// name again, and one of another filter has another id and so another tag.
const (
	sentinelBytes = 64
	sentinelMagic = "\x89LBS\r\n\x1a\n"

	atState = 8
	checked = 16 // bytes of the sentinel that each operation reads

	open   = 1
	frozen = 2
)

// sentinel returns the sentinel of shard i while it is open.
func (l layout) sentinel(id [16]byte, i int) [sentinelBytes]byte {
	var s [sentinelBytes]byte
	le := binary.LittleEndian
	copy(s[16:], sentinelMagic)
	copy(s[24:], id[:])
	le.PutUint32(s[40:], uint32(i))
	le.PutUint32(s[44:], uint32(l.shards))
	le.PutUint64(s[48:], uint64(l.size(i))/64)
	le.PutUint64(s[:], blocked.HashKey(0, s[16:]))
	s[atState] = open
	return s
}

// state returns the state of a shard whose sentinel begins with found, or 0 if
// that is not the sentinel.
func (s *shard) state(found string) byte {
	if len(found) < checked || found[:atState] != string(s.sentinel[:atState]) || found[atState+1:checked] != string(s.sentinel[atState+1:checked]) {
		return 0
	}
	return knownState(found[atState])
}

// stateOf is state of the numbers that BITFIELD returns for tag and state.
func (s *shard) stateOf(tag, state int64) byte {
	if uint64(tag) != binary.BigEndian.Uint64(s.sentinel[:]) || state < 0 || state > 255 {
		return 0
	}
	return knownState(byte(state))
}

func knownState(b byte) byte {
	if b == open || b == frozen {
		return b
	}
	return 0
}
