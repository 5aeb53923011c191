package foreign

import "encoding/binary"

// superfast is Paul Hsieh's SuperFastHash, begun with the seed, as compilers for
// CPUs whose char is signed make it. It takes four bytes at a time, as two halves
// of 16 bits, little-endian. The hash of an empty key is 0 whatever the seed.
func superfast(seed uint32, key []byte) uint64 {
	if len(key) == 0 {
		return 0
	}
	h := seed
	half := func(at int) uint32 { return uint32(binary.LittleEndian.Uint16(key[at:])) }
	signed := func(at int) uint32 { return uint32(int32(int8(key[at]))) }
	for ; len(key) >= 4; key = key[4:] {
		h += half(0)
		h = h<<16 ^ half(2)<<11 ^ h
		h += h >> 11
	}
	switch len(key) {
	case 3:
		h += half(0)
		h ^= h << 16
		h ^= signed(2) << 18
		h += h >> 11
	case 2:
		h += half(0)
		h ^= h << 11
		h += h >> 17
	case 1:
		h += signed(0)
		h ^= h << 10
		h += h >> 1
	}
	h ^= h << 3
	h += h >> 5
	h ^= h << 4
	h += h >> 17
	h ^= h << 25
	h += h >> 6
	return uint64(h)
}
