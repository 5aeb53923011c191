package foreign

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
)

// Names of formats.
const (
	DCSO    = "dcso"
	Pybloom = "pybloom"
)

// MaxK is the largest number of probes that is believed.
const MaxK = 256

var (
	// ErrUnknown reports bytes that are of none of the formats.
	ErrUnknown = errors.New("not a filter of a known format")

	// ErrNoHash reports a filter that cannot be asked before it is known with
	// which hash it was filled.
	ErrNoHash = errors.New("the hash of the filter is not known")
)

// A Filter is a classic Bloom filter. Any number of goroutines may ask it.
type Filter struct {
	Format   string
	Bits     uint64  // m, 1 or more
	K        int     // probes per key
	Capacity uint64  // number of keys that it was made for; 0: not known
	FPRate   float64 // that was asked for
	Count    uint64  // keys that were added, by whoever added them; 0: not known
	Data     uint64  // bytes of the user behind the bits

	hash  *hash
	seeds []uint32
	array []byte // bit i in bit i%8 of byte i/8
}

// Hash returns the name of the hash, "" if it is not known.
func (f *Filter) Hash() string {
	switch {
	case f.Format == DCSO:
		return "fnv1"
	case f.hash == nil:
		return ""
	}
	return f.hash.name
}

// SetHash says which of Hashes a filter of pybloomfiltermmap was filled with. It
// must not be called when others ask the filter.
func (f *Filter) SetHash(name string) error {
	if f.Format == DCSO {
		if name != f.Hash() {
			return fmt.Errorf("%w: hash %q for a filter of DCSO, whose hash is %s", blocked.ErrInvalid, name, f.Hash())
		}
		return nil
	}
	h := hashNamed(name)
	if h == nil {
		return fmt.Errorf("%w: unknown hash %q, want one of %v", blocked.ErrInvalid, name, Hashes())
	}
	f.hash = h
	return nil
}

// FittingHashes returns the names of the hashes with which the filter has all of
// the words: those it may have been filled with, if the words are its keys.
func (f *Filter) FittingHashes(words [][]byte) []string {
	if f.Format == DCSO {
		if f.hasAll(words) {
			return []string{f.Hash()}
		}
		return nil
	}
	var names []string
	for i := range hashes {
		as := *f
		as.hash = &hashes[i]
		if as.hasAll(words) {
			names = append(names, as.hash.name)
		}
	}
	return names
}

func (f *Filter) hasAll(words [][]byte) bool {
	for _, word := range words {
		if !f.Has(word) {
			return false
		}
	}
	return true
}

// Has reports whether key may have been added: false is certain. Without a hash
// nothing is, and the answer is true.
func (f *Filter) Has(key []byte) bool {
	if f.Format == DCSO {
		return f.hasDCSO(key)
	}
	if f.hash == nil {
		return true
	}
	for _, seed := range f.seeds {
		if !f.bit(f.hash.sum(seed, key) % f.Bits) {
			return false
		}
	}
	return true
}

// HasKeys tests a batch of keys, with the answers of blocked.View.HasHashes.
func (f *Filter) HasKeys(dst []uint64, keys [][]byte) (hits int) {
	clear(dst[:(len(keys)+63)/64])
	for i, key := range keys {
		if f.Has(key) {
			dst[i/64] |= 1 << (i % 64)
			hits++
		}
	}
	return hits
}

func (f *Filter) bit(i uint64) bool { return f.array[i/8]>>(i%8)&1 == 1 }

// FillRatio returns the fraction of bits that are set.
func (f *Filter) FillRatio() float64 {
	set := 0
	for _, b := range f.array {
		set += bits.OnesCount8(b)
	}
	return min(float64(set)/float64(f.Bits), 1)
}

// EstimateFPRate returns the false positive rate of the filter as it is filled
// now: each of the probes of a random key hits with the fill ratio.
func (f *Filter) EstimateFPRate() float64 {
	return math.Pow(f.FillRatio(), float64(f.K))
}

// EstimateCount returns an estimate of the number of keys by the bits that are
// set, from 1 - e^(-kn/m) = fill; +Inf if all are.
func (f *Filter) EstimateCount() float64 {
	return -float64(f.Bits) / float64(f.K) * math.Log1p(-f.FillRatio())
}

// PredictedFPRate returns the rate of a filter of this size with n keys, by the
// classic formula (1 - e^(-kn/m))^k.
func (f *Filter) PredictedFPRate(n uint64) float64 {
	k := float64(f.K)
	return math.Pow(-math.Expm1(-k*float64(n)/float64(f.Bits)), k)
}

// arrayBytes returns the length of an array of bits, in whole words of so many
// bytes.
func arrayBytes(bits, word uint64) uint64 {
	words := bits / (8 * word)
	if bits%(8*word) > 0 {
		words++
	}
	return words * word
}

// check refuses numbers that no filter has.
func (f *Filter) check() error {
	switch {
	case f.Bits == 0 || f.Bits > 1<<53:
		return fmt.Errorf("%w: %d bits", blocked.ErrCorrupt, f.Bits)
	case f.K < 1 || f.K > MaxK:
		return fmt.Errorf("%w: %d probes for a key, want 1 to %d", blocked.ErrCorrupt, f.K, MaxK)
	case !(f.FPRate > 1e-300 && f.FPRate < 1): // nor NaN, nor the bits of an integer
		return fmt.Errorf("%w: false positive rate of %g, want one between 0 and 1", blocked.ErrCorrupt, f.FPRate)
	}
	return nil
}
