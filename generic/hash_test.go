package generic

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"
)

// HashUint64 is what xxh3 gives for the eight little-endian bytes.
func TestHashUint64EqualsXXH3(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var b [8]byte
	for i := range 100000 {
		seed, x := r.Uint64(), r.Uint64()
		switch i % 4 {
		case 0:
			seed = 0
		case 1:
			x >>= r.UintN(64)
		}
		binary.LittleEndian.PutUint64(b[:], x)
		if got, want := HashUint64(seed, x), xxh3.HashSeed(b[:], seed); got != want {
			t.Fatalf("HashUint64(%#x, %#x) = %#x, xxh3 gives %#x", seed, x, got, want)
		}
	}
}

func TestHashUint64sMayWriteOverItsKeys(t *testing.T) {
	keys := []uint64{0, 1, 1 << 63, ^uint64(0), 42}
	want := make([]uint64, len(keys))
	HashUint64s(want, 7, keys)
	HashUint64s(keys, 7, keys)
	for i := range keys {
		if keys[i] != want[i] {
			t.Fatalf("key %d: %#x in place, %#x apart", i, keys[i], want[i])
		}
	}
}
