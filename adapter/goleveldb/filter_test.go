package goleveldb

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// keyOf returns key i of those that are stored, or of those that are not.
func keyOf(i uint64, stored bool) []byte {
	x := i << 1
	if stored {
		x |= 1
	}
	x = (x + 1) * 0x9E3779B97F4A7C15 // SplitMix64, which is one to one
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return binary.BigEndian.AppendUint64([]byte("user/"), x^x>>31)
}

// build returns a filter of keys from to from+n-1.
func build(f filter.Filter, from, n uint64) []byte {
	return buildWith(f.NewGenerator(), from, n)
}

func buildWith(g filter.FilterGenerator, from, n uint64) []byte {
	for i := range n {
		g.Add(keyOf(from+i, true))
	}
	var buf util.Buffer
	g.Generate(&buf)
	return bytes.Clone(buf.Bytes())
}

func TestNoKeyIsLostWhateverTheNumberOfKeys(t *testing.T) {
	for _, bits := range []float64{1, 4.5, 10, 20, 64} {
		f := NewFilter(bits)
		g := f.NewGenerator() // used again for every filter
		for n := uint64(0); n < 300; n++ {
			filter := buildWith(g, n*1000, n)
			for i := range n {
				if !f.Contains(filter, keyOf(n*1000+i, true)) {
					t.Fatalf("%g bits: key %d of %d is lost", bits, i, n)
				}
			}
			if n == 0 && f.Contains(filter, []byte("key")) {
				t.Fatal("a filter of no keys contains one")
			}
		}
	}
	f := NewFilter(10)
	for _, n := range []uint64{5_000, 100_000} { // of a large FilterBaseLg
		filter := build(f, 0, n)
		for i := range n {
			if !f.Contains(filter, keyOf(i, true)) {
				t.Fatalf("key %d of %d is lost", i, n)
			}
		}
	}
}

// measure returns the mean bytes and rate of filters of the numbers of keys from
// to to-1.
func measure(f filter.Filter, from, to uint64) (size, rate float64) {
	g := f.NewGenerator()
	passed, asked, filters := 0, 0, 0
	for round := range uint64(10) {
		for n := from; n < to; n++ {
			filter := buildWith(g, (round*200+n)<<20, n)
			size += float64(len(filter))
			filters++
			for i := range uint64(500) {
				asked++
				if f.Contains(filter, keyOf((round*200+n)<<20+i, false)) {
					passed++
				}
			}
		}
	}
	return size / float64(filters), float64(passed) / float64(asked)
}

// Side by side with LevelDB's own filter, over all numbers of keys that 2 to 4
// KiB hold. At 10 bits per key LevelDB's is the better one, since the size of ours
// comes in steps; at 16 and 20 ours has fewer false positives in about the same
// bytes.
func TestBytesAndRateAgainstLevelDBsFilter(t *testing.T) {
	for _, bits := range []int{10, 16, 20} {
		for _, r := range [][2]uint64{{8, 24}, {24, 48}, {48, 128}} {
			ours, oursRate := measure(NewFilter(float64(bits)), r[0], r[1])
			theirs, theirsRate := measure(filter.NewBloomFilter(bits), r[0], r[1])
			t.Logf("%d bits, %d to %d keys: %.1f bytes, rate %.3g; LevelDB's %.1f bytes, rate %.3g; ratios %.3f and %.2f",
				bits, r[0], r[1]-1, ours, oursRate, theirs, theirsRate, ours/theirs, oursRate/theirsRate)
			if ours > theirs+halfBytes/2 {
				t.Errorf("%d bits: %.1f bytes per filter, LevelDB's has %.1f", bits, ours, theirs)
			}
			if limit := theirsRate; bits >= 16 && oursRate > limit || oursRate > 1.8*limit {
				t.Errorf("%d bits: rate %.3g, LevelDB's has %.3g", bits, oursRate, theirsRate)
			}
		}
	}
}

// Every truncation, and every change of a byte, is noticed and answers maybe.
func TestDamagedBytesMayContainEverything(t *testing.T) {
	f := NewFilter(10)
	for _, n := range []uint64{10, 40, 70} {
		sound := build(f, 0, n)
		absent := uint64(0)
		for f.Contains(sound, keyOf(absent, false)) {
			if absent++; absent > 1000 {
				t.Fatalf("%d keys: the filter rejects nothing", n)
			}
		}
		key := keyOf(absent, false) // which the sound filter rejects
		missed := 0
		for i := range sound {
			if !f.Contains(sound[:i], key) || !f.Contains(sound[i+1:], key) {
				missed++
			}
			for change := 1; change < 256; change++ {
				mutant := bytes.Clone(sound)
				if mutant[i] ^= byte(change); !f.Contains(mutant, key) {
					missed++
				}
			}
		}
		if missed > 2 { // about 25,000 changes, of which one in 65,536 may pass
			t.Errorf("%d keys: %d changes of %d were missed", n, missed, 257*len(sound))
		}
		if !f.Contains(build(filter.NewBloomFilter(10), 0, n), key) || !f.Contains(nil, key) || !f.Contains(make([]byte, 67), key) {
			t.Error("foreign bytes answer no")
		}
	}
}

func TestVersionsOfAKeyCountOnce(t *testing.T) {
	g := NewFilter(10).NewGenerator()
	for i := range uint64(50) {
		g.Add(keyOf(i, true))
		g.Add(keyOf(i, true))
	}
	var buf util.Buffer
	g.Generate(&buf)
	if !bytes.Equal(buf.Bytes(), build(NewFilter(10), 0, 50)) {
		t.Error("the filter differs from that of the distinct keys")
	}
}

func TestLookUpsAllocateNothing(t *testing.T) {
	f := NewFilter(10)
	key := keyOf(0, true)
	for _, n := range []uint64{10, 35, 80} {
		filter := build(f, 0, n)
		if got := testing.AllocsPerRun(100, func() { f.Contains(filter, key) }); got != 0 {
			t.Errorf("%d keys: %g allocations per look-up", n, got)
		}
	}
}

func TestWrongBitsPerKeyPanic(t *testing.T) {
	for _, bits := range []float64{0, -1, 65} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%g bits per key: no panic", bits)
				}
			}()
			NewFilter(bits)
		}()
	}
}

// FuzzContains gives the filter any bytes, which must not make it panic, and a
// filter of some keys with a byte changed, which must not lose one.
func FuzzContains(f *testing.F) {
	policy := NewFilter(10)
	f.Add([]byte(nil), []byte("key"), uint16(0), byte(0))
	f.Add(build(policy, 0, 10), keyOf(0, true), uint16(10), byte(1))
	f.Add(build(policy, 0, 60), keyOf(0, true), uint16(99), byte(0xFF))
	f.Fuzz(func(t *testing.T, data, key []byte, at uint16, change byte) {
		policy.Contains(data, key)
		g := policy.NewGenerator()
		g.Add(key)
		for rest := data; len(rest) >= 2 && len(rest)+400 > len(data); rest = rest[2:] {
			g.Add(rest[:2])
		}
		var buf util.Buffer
		g.Generate(&buf)
		filter := buf.Bytes()
		if !policy.Contains(filter, key) {
			t.Fatal("a key is lost")
		}
		if i := int(at) % len(filter); i < len(filter)-trailer {
			filter[i] |= change // the check has 16 bits: clearing may pass it
		} else if i > len(filter)-trailer {
			filter[i] ^= change
		}
		if !policy.Contains(filter, key) {
			t.Fatal("a key is lost by a change")
		}
	})
}
