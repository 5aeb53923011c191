// Package golden holds the vectors that fix the bits of a filter for ever. They
// were computed by a program in another language, apart from this code.
package golden

// Vector is a filter and the hashes that it is filled with.
type Vector struct {
	Blocks uint64
	K      int
	N      int    // how many hashes
	Seed   uint64 // of the generator of hashes
	Ones   int    // bits set
	SHA256 string // of the blocks
}

// Vectors are the golden vectors.
var Vectors = []Vector{
	{1, 1, 1, 0, 1, "eb3b3d88ec46d915af459e38eebcfe26ecd7ff2d966e99a5760a71001d4db287"},
	{3, 6, 150, 2, 686, "bdb9e7114bf7cd467bf6ef8947133efba7b7bf92105ffc03820f8d3dd74607aa"},
	{1000, 8, 45000, 3, 258482, "2dd100ba6eac86a074a0c330dd8cc34d9d70718efe018e7f44a8b4214169a859"},
	{5, 16, 60, 5, 798, "bfe3c13561ab6a57bde8258f36ef32e4a072699b630e4d83505787bb518e4df4"},
}

// Hashes returns the hashes of v.
func (v Vector) Hashes() []uint64 {
	next := SplitMix64(v.Seed)
	hs := make([]uint64, v.N)
	for i := range hs {
		hs[i] = next()
	}
	return hs
}

// SplitMix64 returns the generator of that name (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014), started at seed. Its first
// output for seed 0 is 0xe220a8397b1dcdaf.
func SplitMix64(seed uint64) func() uint64 {
	return func() uint64 {
		seed += 0x9E3779B97F4A7C15
		z := seed
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
}
