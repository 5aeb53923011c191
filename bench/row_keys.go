package main

import (
	"encoding/binary"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/linebloom/linebloom/blocked"
	"github.com/zeebo/xxh3"
)

// rowD asks what it costs to hash integers on the way.
func rowD(b *bench, r *result) error {
	const bytes, what, atMost = 256 << 10, "HasUint64s / HasHashes, 256 KiB", 1.5
	if !b.wants(r, bytes, what, atMost, true) {
		return nil
	}
	f, err := blocked.NewFromParams(blocked.Params{Blocks: bytes / 64, K: 6})
	if err != nil {
		return err
	}
	f.AddUint64s(b.stock.first(keysFor(bytes)))
	keys, _ := queries(miss, keysFor(bytes))
	hashes := make([]uint64, len(keys))
	for i, x := range keys {
		hashes[i] = blocked.HashUint64(0, x)
	}
	answers := make([]uint64, len(keys)/64)
	all, err := b.compare(r, "256 KiB, miss", b.rounds,
		measurement{Bytes: bytes, Keys: keysFor(bytes), BitsPerKey: bitsPerKey, Stream: miss},
		contender{name: "linebloom HasHashes", keys: len(keys), pass: func() int { return f.HasHashes(answers, hashes) }},
		contender{name: "linebloom HasUint64s", keys: len(keys), pass: func() int { return f.HasUint64s(answers, keys) }})
	if err != nil {
		return err
	}
	r.judge(what, ratio(all[1], all[0]), atMost, true)
	return sameHits(all[0], all[1])
}

// rowE asks what it costs to test keys that have to be hashed anyway.
func rowE(b *bench, r *result) error {
	const bytes, atMost = 256 << 10, 1.4
	const whatKeys, whatStrings = "HasKeys / hashing alone, 256 KiB", "HasStrings / hashing alone, 256 KiB"
	if !b.wants(r, bytes, whatKeys, atMost, true) || !b.wants(r, bytes, whatStrings, atMost, true) {
		return nil
	}
	f, err := blocked.NewFromParams(blocked.Params{Blocks: bytes / 64, K: 6})
	if err != nil {
		return err
	}
	f.AddKeys(byteKeys(1, keysFor(bytes)))
	keys := byteKeys(2, queryKeys)
	strings := stringsOf(keys)
	answers := make([]uint64, len(keys)/64)
	var sink uint64
	about := measurement{Bytes: bytes, Keys: keysFor(bytes), BitsPerKey: bitsPerKey, Stream: miss}
	all, err := b.compare(r, "256 KiB, keys of 16 to 40 bytes, miss", b.rounds, about,
		contender{name: "xxh3.HashSeed alone", keys: len(keys), noRate: true, pass: func() int {
			for _, key := range keys {
				sink += xxh3.HashSeed(key, 0)
			}
			return 0
		}},
		contender{name: "linebloom HasKeys", keys: len(keys), pass: func() int { return f.HasKeys(answers, keys) }})
	if err != nil {
		return err
	}
	r.judge(whatKeys, ratio(all[1], all[0]), atMost, true)
	texts, err := b.compare(r, "256 KiB, strings, miss", b.rounds, about,
		contender{name: "xxh3.HashStringSeed alone", keys: len(keys), noRate: true, pass: func() int {
			for _, s := range strings {
				sink += xxh3.HashStringSeed(s, 0)
			}
			return 0
		}},
		contender{name: "linebloom HasStrings", keys: len(keys), pass: func() int { return f.HasStrings(answers, strings) }})
	if err != nil {
		return err
	}
	r.judge(whatStrings, ratio(texts[1], texts[0]), atMost, true)
	return sameHits(all[1], texts[1])
}

// rowF gives both sides keys that they must hash.
func rowF(b *bench, r *result) error {
	const bytes, what, required = 4 << 20, "bits-and-blooms / HasKeys, 4 MiB", 8
	if !b.wants(r, bytes, what, required, false) {
		return nil
	}
	n := keysFor(bytes)
	f, err := blocked.NewFromParams(blocked.Params{Blocks: bytes / 64, K: 6})
	if err != nil {
		return err
	}
	// It takes a slice of words, which can be on huge pages therefore.
	words := make([]uint64, bytes/8)
	adviseHeap(bytes)
	rival := bloom.From(words, classicProbes(float64(bytes)*8/float64(n)))
	added := byteKeys(3, n)
	f.AddKeys(added)
	for _, key := range added {
		rival.Add(key)
	}
	for _, stream := range streams {
		keys, held := byteKeys(4, queryKeys), 0
		for i := range keys {
			if stream == hit || stream == half && binary.LittleEndian.Uint64(keys[i])%2 == 0 {
				keys[i] = added[hashAt(uint64(i))%uint64(n)]
				held++
			}
		}
		answers := make([]uint64, len(keys)/64)
		all, err := b.compare(r, "4 MiB, keys of 16 to 40 bytes, "+stream, b.rounds,
			measurement{Bytes: bytes, Keys: n, BitsPerKey: bitsPerKey, Stream: stream},
			contender{name: "linebloom HasKeys", keys: len(keys), atLeast: held,
				pass: func() int { return f.HasKeys(answers, keys) }},
			contender{name: "bits-and-blooms Test", keys: len(keys), atLeast: held, pass: func() int {
				hits := 0
				for _, key := range keys {
					if rival.Test(key) {
						hits++
					}
				}
				return hits
			}})
		if err != nil {
			return err
		}
		if stream == miss {
			r.judge(what, ratio(all[1], all[0]), required, false)
		}
	}
	return nil
}
