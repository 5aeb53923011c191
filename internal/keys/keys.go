// Package keys hashes batches of keys of every kind, for all filters alike.
package keys

import (
	"github.com/linebloom/linebloom/asm"
	"github.com/zeebo/xxh3"
)

// Batch is a batch of N keys of one of three kinds. It is a struct and not an
// interface so that calls are direct and the buffers they fill stay on the
// stack.
type Batch struct {
	N       int
	Bytes   [][]byte
	Strings []string
	Uint64s []uint64
}

// OfBytes returns the batch of these keys.
func OfBytes(batch [][]byte) Batch { return Batch{N: len(batch), Bytes: batch} }

// OfStrings returns the batch of the bytes of these strings.
func OfStrings(batch []string) Batch { return Batch{N: len(batch), Strings: batch} }

// OfUint64s returns the batch of the eight little-endian bytes of each number.
func OfUint64s(batch []uint64) Batch { return Batch{N: len(batch), Uint64s: batch} }

// Hash fills dst with the hashes, XXH3-64, of the keys from at on.
func (b *Batch) Hash(dst []uint64, seed uint64, at int) {
	switch {
	case b.Bytes != nil:
		for i, key := range b.Bytes[at:][:len(dst)] {
			dst[i] = xxh3.HashSeed(key, seed)
		}
	case b.Strings != nil:
		for i, key := range b.Strings[at:][:len(dst)] {
			dst[i] = xxh3.HashStringSeed(key, seed)
		}
	default:
		asm.HashUint64s(dst, seed, b.Uint64s[at:][:len(dst)])
	}
}

// Batches are hashed into a buffer on the stack: a small one for a few keys, since
// it has to be cleared first, and one that is long against the kernels'
// look-ahead for many.
const (
	Few  = 64
	Many = 1024
)
