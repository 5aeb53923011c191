package blocked

import (
	"math/bits"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/keys"
)

// reader is the read side that Filter, AtomicFilter and View have in common.
type reader struct {
	table generic.Table // and nothing else: see its comment on size
}

// Params returns the geometry of the filter.
func (r reader) Params() Params {
	return Params{Blocks: r.table.Blocks(), K: r.table.K(), Seed: r.table.Seed()}
}

// Blocks returns the 64*B bytes of the filter, not a copy.
func (r reader) Blocks() []byte {
	return r.table.Data()
}

// View returns a view of the filter, not a copy: it sees keys added later.
func (r reader) View() View {
	return View{r}
}

// Has reports whether key may have been added: false is certain.
func (r reader) Has(key []byte) bool {
	return r.HasHash(HashKey(r.table.Seed(), key))
}

// HasString is Has of the bytes of s.
func (r reader) HasString(s string) bool {
	return r.HasHash(HashString(r.table.Seed(), s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (r reader) HasUint64(x uint64) bool {
	return r.HasHash(generic.HashUint64(r.table.Seed(), x))
}

// HasHash is Has of the key whose HashKey is h.
func (r reader) HasHash(h uint64) bool {
	return asm.Has(r.table, h)
}

// HasHashes tests a batch of keys, given by their hashes: bit i%64 of dst[i/64]
// becomes the answer for hashes[i]. It returns the number of hits. dst has at
// least (len(hashes)+63)/64 words, or HasHashes panics; the unused bits of the
// last of these become 0, and words behind it stay as they are.
func (r reader) HasHashes(dst []uint64, hashes []uint64) int {
	asm.HasHashes(dst, r.table, hashes)
	return countBits(dst[:generic.Words(len(hashes))])
}

// HasKeys tests a batch of keys, with the answers of HasHashes.
func (r reader) HasKeys(dst []uint64, batch [][]byte) int {
	return r.hasKeys(dst, keys.OfBytes(batch))
}

// HasStrings tests a batch of keys, with the answers of HasHashes.
func (r reader) HasStrings(dst []uint64, batch []string) int {
	return r.hasKeys(dst, keys.OfStrings(batch))
}

// HasUint64s tests a batch of keys, with the answers of HasHashes.
func (r reader) HasUint64s(dst []uint64, batch []uint64) int {
	return r.hasKeys(dst, keys.OfUint64s(batch))
}

func (r reader) hasKeys(dst []uint64, ks keys.Batch) int {
	generic.CheckAnswers(dst, ks.N)
	if ks.N <= keys.Few {
		var buf [keys.Few]uint64
		ks.Hash(buf[:ks.N], r.table.Seed(), 0)
		return r.HasHashes(dst, buf[:ks.N])
	}
	return r.hasManyKeys(dst, ks)
}

func (r reader) hasManyKeys(dst []uint64, ks keys.Batch) int {
	var buf [keys.Many]uint64
	hits := 0
	for at := 0; at < ks.N; at += len(buf) {
		hashes := buf[:min(len(buf), ks.N-at)]
		ks.Hash(hashes, r.table.Seed(), at)
		hits += r.HasHashes(dst[at/64:], hashes)
	}
	return hits
}

// SelectHashes appends to dst the positions in hashes, in ascending order, of
// the keys that may have been added. A batch has at most 2^32 hashes.
func (r reader) SelectHashes(dst []uint32, hashes []uint64) []uint32 {
	var answers [keys.Many / 64]uint64
	for at := 0; at < len(hashes); at += keys.Many {
		batch := hashes[at:min(at+keys.Many, len(hashes))]
		asm.HasHashes(answers[:], r.table, batch)
		for w, word := range answers[:generic.Words(len(batch))] {
			for ; word != 0; word &= word - 1 {
				dst = append(dst, uint32(at+64*w+bits.TrailingZeros64(word)))
			}
		}
	}
	return dst
}

func countBits(words []uint64) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
