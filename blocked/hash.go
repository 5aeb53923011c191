package blocked

import (
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
