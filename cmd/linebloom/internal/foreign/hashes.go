package foreign

import (
	"crypto/md5"
	"crypto/sha512"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/twmb/murmur3"
)

// A hash is one that a release of pybloomfiltermmap uses.
type hash struct {
	name string
	sum  func(seed uint32, key []byte) uint64
}

// hashes are in the order of the releases. Those of 32 bits are widened.
var hashes = []hash{
	{"djb", djb},
	{"md5", seededMD5},
	{"superfast", superfast},
	{"sha512", seededSHA512},
	{"murmur32", murmur32},
	{"murmur64", murmur64},
	{"xxh64", xxh64},
}

// Hashes returns the names of the hashes that filters of pybloomfiltermmap may
// have been filled with.
func Hashes() (names []string) {
	for _, h := range hashes {
		names = append(names, h.name)
	}
	return names
}

func hashNamed(name string) *hash {
	for i := range hashes {
		if hashes[i].name == name {
			return &hashes[i]
		}
	}
	return nil
}

// djb is Bernstein's h = 33h + c, begun with 5381 xor the seed.
func djb(seed uint32, key []byte) uint64 {
	h := 5381 ^ seed
	for _, c := range key {
		h = 33*h + uint32(c)
	}
	return uint64(h)
}

// seeded returns the seed's bytes and the key's.
func seeded(seed uint32, key []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(key)), seed), key...)
}

// seededMD5 is the second word of the MD5 of seed and key.
func seededMD5(seed uint32, key []byte) uint64 {
	sum := md5.Sum(seeded(seed, key))
	return uint64(binary.LittleEndian.Uint32(sum[4:]))
}

// seededSHA512 is the first word of the SHA-512 of seed and key.
func seededSHA512(seed uint32, key []byte) uint64 {
	sum := sha512.Sum512(seeded(seed, key))
	return uint64(binary.LittleEndian.Uint32(sum[:]))
}

// murmur64 folds the 128 bits of MurmurHash3 for 64-bit CPUs to 64, by exclusive
// or.
func murmur64(seed uint32, key []byte) uint64 {
	a, b := murmur3.SeedSum128(uint64(seed), uint64(seed), key)
	return a ^ b
}

// murmur32 folds them to 32.
func murmur32(seed uint32, key []byte) uint64 {
	h := murmur64(seed, key)
	return uint64(uint32(h) ^ uint32(h>>32))
}

func xxh64(seed uint32, key []byte) uint64 {
	d := xxhash.NewWithSeed(uint64(seed))
	d.Write(key)
	return d.Sum64()
}
