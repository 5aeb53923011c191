package goleveldb

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/syndtr/goleveldb/leveldb/filter"
)

// Name is the name of the filters, which tables record. Filters of any number of
// bits per key have it, since they carry their parameters.
const Name = "linebloom.Halves"

const (
	halfBytes = generic.BlockBytes / 2
	halfBits  = 8 * halfBytes
	trailer   = 3
	version   = 1 << 4
	checked   = 512 // bytes of the halves that the check covers
)

// bits makes filters with so many bits per key and reads all.
type bits float64

// NewFilter returns a filter with the given number of bits per key, 1 to 64 and
// not necessarily whole. Numbers out of range panic.
func NewFilter(bitsPerKey float64) filter.Filter {
	if !(bitsPerKey >= 1 && bitsPerKey <= 64) { // also refuses NaN
		panic("linebloom: bits per key out of range, want 1 to 64")
	}
	return bits(bitsPerKey)
}

// Name returns Name.
func (bits) Name() string { return Name }

// Contains reports whether the keys of the filter may contain key. Bytes that are
// not a filter of this package may contain everything.
func (bits) Contains(filter, key []byte) bool {
	n := len(filter) - trailer
	if n < halfBytes || n%halfBytes != 0 {
		return true
	}
	how := filter[n]
	if how&^15 != version || binary.LittleEndian.Uint16(filter[n+1:]) != check(filter[:n], how) {
		return true
	}
	return generic.Has(spot(filter[:n], new([generic.BlockBytes]byte), int(how&15)+1, blocked.HashKey(0, key)))
}

// spot returns the block of the key with hash h, as a table of its own, and h. A
// half that stands alone is unfolded into buf: both rows become that half.
func spot(halves []byte, buf *[generic.BlockBytes]byte, k int, h uint64) (generic.Table, uint64) {
	m := uint64(len(halves)) / halfBytes
	at := (h & math.MaxUint32 * m >> 32) &^ 1 * halfBytes
	block := halves[at:]
	if len(block) < generic.BlockBytes {
		copy(buf[:], block)
		copy(buf[halfBytes:], block)
		return generic.NewTable(buf[:], k), h
	}
	return generic.NewTable(block[:generic.BlockBytes], k), h
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// check tells a filter from other bytes, and from itself with changes. It covers
// all of the filters that LevelDB makes of 2 KiB of data, and takes nanoseconds;
// of the large ones that Options.FilterBaseLg can make it covers the beginning.
func check(halves []byte, how byte) uint16 {
	x := crc32.Update(uint32(how)<<24|uint32(len(halves)), castagnoli, halves[:min(len(halves), checked)])
	return uint16(x ^ x>>16)
}

// NewGenerator returns a generator of filters.
func (b bits) NewGenerator() filter.FilterGenerator {
	return &generator{bits: float64(b)}
}

// generator collects the hashes of the keys of a filter.
type generator struct {
	bits   float64
	hashes []uint64
	best   []int8 // best[n] is k for n keys, or 0 if it was not needed yet
}

// Add adds a key. Versions of a key, which follow each other, count once.
func (g *generator) Add(key []byte) {
	h := blocked.HashKey(0, key)
	if n := len(g.hashes); n == 0 || g.hashes[n-1] != h {
		g.hashes = append(g.hashes, h)
	}
}

// Generate appends the filter of the keys to dst and forgets them.
func (g *generator) Generate(dst filter.Buffer) {
	m := g.halves()
	k := g.k(m)
	filter := dst.Alloc(m*halfBytes + trailer)
	clear(filter)
	halves := filter[:m*halfBytes]
	var buf [generic.BlockBytes]byte
	for _, h := range g.hashes {
		table, h := spot(halves, &buf, k, h)
		generic.Add(table, h)
		if m%2 == 1 && h&math.MaxUint32*uint64(m)>>32 == uint64(m-1) {
			fold(halves[len(halves)-halfBytes:], &buf)
		}
	}
	how := byte(version | (k - 1))
	filter[len(halves)] = how
	binary.LittleEndian.PutUint16(filter[len(halves)+1:], check(halves, how))
	g.hashes = g.hashes[:0]
}

// fold lays both rows of buf on top of each other.
func fold(half []byte, buf *[generic.BlockBytes]byte) {
	for i := range half {
		half[i] = buf[i] | buf[halfBytes+i]
	}
}

// halves returns how many halves the keys get.
func (g *generator) halves() int {
	return max(1, int(math.Round(float64(len(g.hashes))*g.bits/halfBits)))
}

// k returns the best number of probes for the keys in m halves: that of whole
// blocks which are as densely filled.
func (g *generator) k(m int) int {
	n := len(g.hashes)
	if n < len(g.best) && g.best[n] > 0 {
		return int(g.best[n])
	}
	blocks := uint64(m+1) / 2
	keys := max(1, uint64(math.Round(float64(n)*float64(2*blocks)/float64(m))))
	best, lowest := 1, 2.0
	for k := 1; k <= generic.MaxK; k++ {
		if r := (blocked.Params{Blocks: blocks, K: k}).FPRate(keys); r < lowest {
			best, lowest = k, r
		}
	}
	if n < 1024 { // of 2 KiB there are no more
		g.best = append(g.best, make([]int8, max(0, n+1-len(g.best)))...)
		g.best[n] = int8(best)
	}
	return best
}
