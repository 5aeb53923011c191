package redis

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// hashed is what works on batches of hashes: a Filter or a Window.
type hashed interface {
	// has sets the bits of dst for keys that may be there, and where it cannot
	// know.
	has(ctx context.Context, dst []uint64, hashes []uint64) error
	add(ctx context.Context, hashes []uint64) error
	testAndAdd(ctx context.Context, verdicts []Verdict, hashes []uint64) error
}

// byKey gives a Filter and a Window their methods for each kind of key.
type byKey struct {
	hashed
	seed uint64
}

// HasHashes tests a batch of keys, given by their hashes: bit i%64 of dst[i/64]
// becomes the answer for hashes[i], and it returns the number of hits. dst has at
// least (len(hashes)+63)/64 words, or HasHashes panics. Up to 10,000 keys cost one
// round trip. Keys of which it could not know get maybe, a bit of 1, and the
// error is an UnknownError that names them.
func (b byKey) HasHashes(ctx context.Context, dst []uint64, hashes []uint64) (int, error) {
	generic.CheckAnswers(dst, len(hashes))
	dst = dst[:generic.Words(len(hashes))]
	clear(dst)
	err := b.has(ctx, dst, hashes)
	n := 0
	for _, w := range dst {
		n += bits.OnesCount64(w)
	}
	return n, err
}

// HasKeys tests a batch of keys, as HasHashes does.
func (b byKey) HasKeys(ctx context.Context, dst []uint64, keys [][]byte) (int, error) {
	return b.HasHashes(ctx, dst, b.hashKeys(keys))
}

// HasStrings tests a batch of keys, as HasHashes does.
func (b byKey) HasStrings(ctx context.Context, dst []uint64, keys []string) (int, error) {
	return b.HasHashes(ctx, dst, b.hashStrings(keys))
}

// HasUint64s tests a batch of keys, as HasHashes does.
func (b byKey) HasUint64s(ctx context.Context, dst []uint64, keys []uint64) (int, error) {
	return b.HasHashes(ctx, dst, b.hashUint64s(keys))
}

// HasHash is Has of the key whose blocked.HashKey is h.
func (b byKey) HasHash(ctx context.Context, h uint64) (bool, error) {
	var dst [1]uint64
	err := b.has(ctx, dst[:], []uint64{h})
	return dst[0] != 0, err
}

// Has reports whether key may have been added: false is certain. It takes one
// round trip. With an error it returns true.
func (b byKey) Has(ctx context.Context, key []byte) (bool, error) {
	return b.HasHash(ctx, blocked.HashKey(b.seed, key))
}

// HasString is Has of the bytes of s.
func (b byKey) HasString(ctx context.Context, s string) (bool, error) {
	return b.HasHash(ctx, blocked.HashString(b.seed, s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (b byKey) HasUint64(ctx context.Context, x uint64) (bool, error) {
	return b.HasHash(ctx, blocked.HashUint64(b.seed, x))
}

// AddHashes adds a batch of keys, given by their hashes. Up to 10,000 keys cost
// one round trip. To add keys again after an error does no harm.
func (b byKey) AddHashes(ctx context.Context, hashes []uint64) error { return b.add(ctx, hashes) }

// AddKeys adds a batch of keys, as AddHashes does.
func (b byKey) AddKeys(ctx context.Context, keys [][]byte) error {
	return b.add(ctx, b.hashKeys(keys))
}

// AddStrings adds a batch of keys, as AddHashes does.
func (b byKey) AddStrings(ctx context.Context, keys []string) error {
	return b.add(ctx, b.hashStrings(keys))
}

// AddUint64s adds a batch of keys, as AddHashes does.
func (b byKey) AddUint64s(ctx context.Context, keys []uint64) error {
	return b.add(ctx, b.hashUint64s(keys))
}

// AddHash is Add of the key whose blocked.HashKey is h.
func (b byKey) AddHash(ctx context.Context, h uint64) error { return b.add(ctx, []uint64{h}) }

// Add adds key, in one round trip.
func (b byKey) Add(ctx context.Context, key []byte) error {
	return b.AddHash(ctx, blocked.HashKey(b.seed, key))
}

// AddString is Add of the bytes of s.
func (b byKey) AddString(ctx context.Context, s string) error {
	return b.AddHash(ctx, blocked.HashString(b.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (b byKey) AddUint64(ctx context.Context, x uint64) error {
	return b.AddHash(ctx, blocked.HashUint64(b.seed, x))
}

// TestAndAddHashes adds a batch of keys, given by their hashes, and sets
// verdicts[i] to that of hashes[i]. It returns how many are New. Up to 10,000
// keys cost one round trip, and a second one if some of them were not there. Of
// equal keys in a batch the first can be New. verdicts is as long as hashes, or
// TestAndAddHashes panics. If some keys are Unknown the error is an UnknownError
// that names them.
func (b byKey) TestAndAddHashes(ctx context.Context, verdicts []Verdict, hashes []uint64) (int, error) {
	if len(verdicts) != len(hashes) {
		panic(fmt.Sprintf("linebloom: %d verdicts for %d keys", len(verdicts), len(hashes)))
	}
	err := b.testAndAdd(ctx, verdicts, hashes)
	n := 0
	for _, v := range verdicts {
		if v == New {
			n++
		}
	}
	return n, err
}

// TestAndAddKeys adds a batch of keys, as TestAndAddHashes does.
func (b byKey) TestAndAddKeys(ctx context.Context, verdicts []Verdict, keys [][]byte) (int, error) {
	return b.TestAndAddHashes(ctx, verdicts, b.hashKeys(keys))
}

// TestAndAddStrings adds a batch of keys, as TestAndAddHashes does.
func (b byKey) TestAndAddStrings(ctx context.Context, verdicts []Verdict, keys []string) (int, error) {
	return b.TestAndAddHashes(ctx, verdicts, b.hashStrings(keys))
}

// TestAndAddUint64s adds a batch of keys, as TestAndAddHashes does.
func (b byKey) TestAndAddUint64s(ctx context.Context, verdicts []Verdict, keys []uint64) (int, error) {
	return b.TestAndAddHashes(ctx, verdicts, b.hashUint64s(keys))
}

// TestAndAddHash is TestAndAdd of the key whose blocked.HashKey is h.
func (b byKey) TestAndAddHash(ctx context.Context, h uint64) (Verdict, error) {
	var v [1]Verdict
	err := b.testAndAdd(ctx, v[:], []uint64{h})
	return v[0], err
}

// TestAndAdd adds key and says whether it was there before. It takes one round
// trip if it was, and two if not. If the verdict is Unknown there is an error.
func (b byKey) TestAndAdd(ctx context.Context, key []byte) (Verdict, error) {
	return b.TestAndAddHash(ctx, blocked.HashKey(b.seed, key))
}

// TestAndAddString is TestAndAdd of the bytes of s.
func (b byKey) TestAndAddString(ctx context.Context, s string) (Verdict, error) {
	return b.TestAndAddHash(ctx, blocked.HashString(b.seed, s))
}

// TestAndAddUint64 is TestAndAdd of the eight little-endian bytes of x.
func (b byKey) TestAndAddUint64(ctx context.Context, x uint64) (Verdict, error) {
	return b.TestAndAddHash(ctx, blocked.HashUint64(b.seed, x))
}

func (b byKey) hashKeys(keys [][]byte) []uint64 {
	return hashAll(b.seed, keys, blocked.HashKey)
}

func (b byKey) hashStrings(keys []string) []uint64 {
	return hashAll(b.seed, keys, blocked.HashString)
}

func (b byKey) hashUint64s(keys []uint64) []uint64 {
	return hashAll(b.seed, keys, blocked.HashUint64)
}

func hashAll[K any](seed uint64, keys []K, hash func(uint64, K) uint64) []uint64 {
	hashes := make([]uint64, len(keys))
	for i, key := range keys {
		hashes[i] = hash(seed, key)
	}
	return hashes
}
