package generic

import "fmt"

const (
	// BlockBytes is the size of a block, one cache line.
	BlockBytes = 64
	// BlockBits is the number of bits in a block.
	BlockBits = 8 * BlockBytes
	// Lanes is the number of lanes of a block, and of probes in one round.
	Lanes = 8
	// MaxK is the largest number of probes per key: two full rounds.
	MaxK = 2 * Lanes
	// MaxBlocks is the largest number of blocks; block numbers have 32 bits.
	MaxBlocks = 1 << 32
)

// golden is 2^32 divided by the golden ratio, rounded to an odd number: the
// multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming,
// volume 3, section 6.4).
const golden = 0x9E3779B9

// Salts are the multipliers of the probes: Salts[i] = golden^i mod 2^32. The
// first eight serve the first round, lane by lane, the others the second.
var Salts = func() (s [MaxK]uint32) {
	s[0] = 1
	for i := 1; i < len(s); i++ {
		s[i] = s[i-1] * golden
	}
	return s
}()

// Windows[m][s] is the row of ones and zeros of a window of m lanes that starts
// at lane s: lane j holds 1 if a key has a probe there. Kernels shift it by the
// bit numbers of a key, which gives the key's bits, and none in other lanes.
var Windows = func() (w [Lanes + 1][Lanes][Lanes]uint32) {
	for m := range w {
		for s := range w[m] {
			for i := range m {
				w[m][s][(s+i)%Lanes] = 1
			}
		}
	}
	return w
}()

// Offset returns where the block of hash h begins, in bytes from the start of
// a filter of the given number of blocks.
func Offset(blocks, h uint64) uint64 {
	return uint64(uint32(h)) * blocks >> 32 * BlockBytes
}

// Start returns the lane in which the window of a key starts, 0..7. hi is the
// upper half of the key's hash.
func Start(hi uint32) int {
	return int(hi>>5) & (Lanes - 1)
}

// Bit returns the bit of probe i of a key, 0..511, within its block. hi is the
// upper half of the key's hash and 0 <= i < MaxK.
func Bit(hi uint32, i int) uint32 {
	lane := (Start(hi) + i) & (Lanes - 1)
	v := hi * Salts[i&Lanes|lane] >> 26
	return v>>5*(BlockBits/2) + 32*uint32(lane) + v&31
}

// Words returns how many 64-bit words hold the answers for n keys.
func Words(n int) int {
	return int((uint(n) + 63) / 64)
}

// CheckAnswers panics unless dst has room for the answers for n keys.
func CheckAnswers(dst []uint64, n int) {
	if len(dst) < Words(n) {
		panic(fmt.Sprintf("linebloom: dst has %d words, the answers for %d keys need %d",
			len(dst), n, Words(n)))
	}
}

// CheckHashes panics unless dst has room for the hashes of n keys.
func CheckHashes(dst []uint64, n int) {
	if len(dst) < n {
		panic(fmt.Sprintf("linebloom: dst has room for %d hashes, want %d", len(dst), n))
	}
}
