package scalable

import (
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
)

// Has reports whether key may have been added: false is certain. An Add that
// happened before is seen.
func (f *Filter) Has(key []byte) bool {
	return f.HasHash(blocked.HashKey(f.seed, key))
}

// HasString is Has of the bytes of s.
func (f *Filter) HasString(s string) bool {
	return f.HasHash(blocked.HashString(f.seed, s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (f *Filter) HasUint64(x uint64) bool {
	return f.HasHash(blocked.HashUint64(f.seed, x))
}

// HasHash is Has of the key whose blocked.HashKey, with the filter's Seed, is h.
func (f *Filter) HasHash(h uint64) bool {
	return f.chain.Load().has(h)
}

func (c *chain) has(h uint64) bool {
	if len(c.views) == 1 {
		return c.views[0].HasHash(h)
	}
	var answers [1]uint64 // there are at most 64 links
	return blocked.HasHashEach(answers[:], c.views, h) > 0
}

// HasHashes tests a batch of keys, given by their hashes: bit i%64 of dst[i/64]
// becomes the answer for hashes[i]. It returns the number of hits. dst has at
// least (len(hashes)+63)/64 words, or HasHashes panics; the unused bits of the
// last of these become 0, and words behind it stay as they are.
func (f *Filter) HasHashes(dst []uint64, hashes []uint64) int {
	generic.CheckAnswers(dst, len(hashes))
	c, hits := f.chain.Load(), 0
	for at := 0; at < len(hashes); at += keys.Many {
		hits += c.hasHashes(dst[at/64:], hashes[at:min(at+keys.Many, len(hashes))])
	}
	return hits
}

// HasKeys tests a batch of keys, with the answers of HasHashes.
func (f *Filter) HasKeys(dst []uint64, batch [][]byte) int {
	return f.hasKeys(dst, keys.OfBytes(batch))
}

// HasStrings tests a batch of keys, with the answers of HasHashes.
func (f *Filter) HasStrings(dst []uint64, batch []string) int {
	return f.hasKeys(dst, keys.OfStrings(batch))
}

// HasUint64s tests a batch of keys, with the answers of HasHashes.
func (f *Filter) HasUint64s(dst []uint64, batch []uint64) int {
	return f.hasKeys(dst, keys.OfUint64s(batch))
}

func (f *Filter) hasKeys(dst []uint64, ks keys.Batch) int {
	generic.CheckAnswers(dst, ks.N)
	c := f.chain.Load()
	if ks.N <= keys.Few {
		var buf [keys.Few]uint64
		ks.Hash(buf[:ks.N], f.seed, 0)
		return c.hasHashes(dst, buf[:ks.N])
	}
	return c.hasManyKeys(dst, ks, f.seed)
}

func (c *chain) hasManyKeys(dst []uint64, ks keys.Batch, seed uint64) int {
	var buf [keys.Many]uint64
	hits := 0
	for at := 0; at < ks.N; at += len(buf) {
		hashes := buf[:min(len(buf), ks.N-at)]
		ks.Hash(hashes, seed, at)
		hits += c.hasHashes(dst[at/64:], hashes)
	}
	return hits
}

// SelectHashes appends to dst the positions in hashes, in ascending order, of the
// keys that may have been added. A batch has at most 2^32 hashes.
func (f *Filter) SelectHashes(dst []uint32, hashes []uint64) []uint32 {
	var answers [keys.Many / 64]uint64
	c := f.chain.Load()
	for at := 0; at < len(hashes); at += keys.Many {
		batch := hashes[at:min(at+keys.Many, len(hashes))]
		c.hasHashes(answers[:], batch)
		for w, word := range answers[:generic.Words(len(batch))] {
			for ; word != 0; word &= word - 1 {
				dst = append(dst, uint32(at+64*w+bits.TrailingZeros64(word)))
			}
		}
	}
	return dst
}
