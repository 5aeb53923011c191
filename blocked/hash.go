package blocked

import (
	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/zeebo/xxh3"
)

// HashKey returns the hash of a key, XXH3-64, for the methods that take hashes.
// The seed is that of the filter's Params.
func HashKey(seed uint64, key []byte) uint64 {
	return xxh3.HashSeed(key, seed)
}

// HashString returns HashKey of the bytes of s.
func HashString(seed uint64, s string) uint64 {
	return xxh3.HashStringSeed(s, seed)
}

// HashUint64 returns HashKey of the eight little-endian bytes of x.
func HashUint64(seed, x uint64) uint64 {
	return generic.HashUint64(seed, x)
}

// keys is a batch of keys of one of three kinds. It is a struct and not an
// interface so that calls are direct and the buffers they fill stay on the
// stack.
type keys struct {
	n       int
	bytes   [][]byte
	strings []string
	uint64s []uint64
}

// hash fills dst with the hashes of the keys from at on.
func (ks *keys) hash(dst []uint64, seed uint64, at int) {
	switch {
	case ks.bytes != nil:
		for i, key := range ks.bytes[at:][:len(dst)] {
			dst[i] = xxh3.HashSeed(key, seed)
		}
	case ks.strings != nil:
		for i, key := range ks.strings[at:][:len(dst)] {
			dst[i] = xxh3.HashStringSeed(key, seed)
		}
	default:
		asm.HashUint64s(dst, seed, ks.uint64s[at:][:len(dst)])
	}
}
