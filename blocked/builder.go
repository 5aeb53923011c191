package blocked

import (
	"fmt"
	"math"
	"slices"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
	"github.com/linebloom/linebloom/internal/rate"
)

// A Builder collects keys whose number is not known yet, as their hashes, and
// makes a Filter of the right size. It is what the writer of an SSTable needs.
// It holds 8 bytes per key. It is for one goroutine at a time.
type Builder struct {
	fpRate     float64 // or, if it is 0,
	bitsPerKey float64
	config     config
	hashes     []uint64
}

// NewBuilder returns a builder of filters with the given false positive rate,
// which is as in New. WithMaxBytes bounds the filter, not the builder.
func NewBuilder(fpRate float64, opts ...Option) (*Builder, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	if err := checkRate(fpRate); err != nil {
		return nil, err
	}
	return &Builder{fpRate: fpRate, config: c}, nil
}

// NewBuilderForBits returns a builder of filters with the given number of bits per
// key, 1 to 64 and not necessarily whole, and the k that gives the best rate.
// Readers of storage engines think in these. Options are as in NewBuilder.
func NewBuilderForBits(bitsPerKey float64, opts ...Option) (*Builder, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	if !(bitsPerKey >= 1 && bitsPerKey <= 64) { // also refuses NaN
		return nil, fmt.Errorf("linebloom: %w: %g bits per key, want 1 to 64", ErrInvalid, bitsPerKey)
	}
	return &Builder{bitsPerKey: bitsPerKey, config: c}, nil
}

// Add adds key. A key that equals the one before it is dropped, so that the
// versions of a key in sorted order count once; other repetitions make the
// filter larger than it need be.
func (b *Builder) Add(key []byte) {
	b.AddHash(HashKey(b.config.seed, key))
}

// AddString is Add of the bytes of s.
func (b *Builder) AddString(s string) {
	b.AddHash(HashString(b.config.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (b *Builder) AddUint64(x uint64) {
	b.AddHash(HashUint64(b.config.seed, x))
}

// AddHash is Add of the key whose HashKey, with the Seed of the builder, is h.
func (b *Builder) AddHash(h uint64) {
	if n := len(b.hashes); n == 0 || b.hashes[n-1] != h {
		b.hashes = append(b.hashes, h)
	}
}

// AddHashes adds a batch of keys, given by their hashes.
func (b *Builder) AddHashes(hashes []uint64) {
	b.hashes = slices.Grow(b.hashes, len(hashes))
	for _, h := range hashes {
		b.AddHash(h)
	}
}

// AddKeys adds a batch of keys.
func (b *Builder) AddKeys(batch [][]byte) {
	b.addKeys(keys.OfBytes(batch))
}

// AddStrings adds a batch of keys.
func (b *Builder) AddStrings(batch []string) {
	b.addKeys(keys.OfStrings(batch))
}

// AddUint64s adds a batch of keys.
func (b *Builder) AddUint64s(batch []uint64) {
	b.addKeys(keys.OfUint64s(batch))
}

func (b *Builder) addKeys(ks keys.Batch) {
	var buf [keys.Many]uint64
	for at := 0; at < ks.N; at += len(buf) {
		hashes := buf[:min(len(buf), ks.N-at)]
		ks.Hash(hashes, b.config.seed, at)
		b.AddHashes(hashes)
	}
}

// Seed returns the seed of the hashes.
func (b *Builder) Seed() uint64 {
	return b.config.seed
}

// Len returns the number of keys that the filter will be sized for.
func (b *Builder) Len() int {
	return len(b.hashes)
}

// Reset forgets all keys and keeps the memory.
func (b *Builder) Reset() {
	b.hashes = b.hashes[:0]
}

// Finish returns a filter of the keys, whose Capacity is their number, and
// resets the builder. Without keys the filter is an empty block. A filter larger
// than WithMaxBytes gives ErrTooLarge, and the builder keeps its keys. Many keys
// are added as AddHashesParallel does, on all CPUs.
func (b *Builder) Finish() (*Filter, error) {
	p, err := b.params()
	if err != nil {
		return nil, err
	}
	f, err := NewFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity, f.fpRate = uint64(b.Len()), b.fpRate
	f.AddHashesParallel(b.hashes, 0)
	b.Reset()
	return f, nil
}

// params returns the geometry for the keys that there are.
func (b *Builder) params() (Params, error) {
	n := uint64(max(b.Len(), 1))
	if b.bitsPerKey == 0 {
		return paramsFor(n, b.fpRate, b.config)
	}
	blocks := math.Ceil(float64(n) * b.bitsPerKey / generic.BlockBits)
	if blocks > generic.MaxBlocks {
		return Params{}, fmt.Errorf("linebloom: %w: %d keys of %g bits need more than 2^32 blocks (256 GiB)",
			ErrTooLarge, n, b.bitsPerKey)
	}
	p := Params{Blocks: uint64(blocks), K: b.config.k, Seed: b.config.seed}
	if p.K == 0 {
		p.K = rate.BestK(n, p.Blocks)
	}
	return p, b.config.checkSize(n, p)
}
