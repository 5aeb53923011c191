package generic

import "math/bits"

// The 8-byte path of XXH3-64 as its specification gives it
// (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md, "Small inputs",
// 4 to 8 bytes). secretFlip is the xor of the default secret's bytes 8..15 and
// 16..23, read as little-endian numbers, and rrmxmx the specification's name
// for the final mixing.
const (
	secretFlip = 0x1CAD21F72C81017C ^ 0xDB979083E96DD4DE
	rrmxmx     = 0x9FB21C651E98DF25
)

// HashFlip returns the part of HashUint64 that depends on the seed alone.
// Kernels get it instead of the seed.
func HashFlip(seed uint64) uint64 {
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	return secretFlip - seed
}

// HashUint64 returns XXH3-64 with the given seed of the eight little-endian
// bytes of x.
func HashUint64(seed, x uint64) uint64 {
	return hashFlipped(HashFlip(seed), x)
}

func hashFlipped(flip, x uint64) uint64 {
	// Both 32-bit halves change places: the input's first four bytes, which
	// are the low half of x, become the high half.
	h := bits.RotateLeft64(x, 32) ^ flip
	h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
	h *= rrmxmx
	h ^= h>>35 + 8 // 8 is the length of the input
	h *= rrmxmx
	return h ^ h>>28
}

// HashUint64s sets dst[i] to HashUint64(seed, keys[i]). dst is at least as
// long as keys and may be the same slice.
func HashUint64s(dst []uint64, seed uint64, keys []uint64) {
	CheckHashes(dst, len(keys))
	flip := HashFlip(seed)
	dst = dst[:len(keys)]
	for i, x := range keys {
		dst[i] = hashFlipped(flip, x)
	}
}
