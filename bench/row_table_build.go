package main

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/greatroar/blobloom"
	"github.com/linebloom/linebloom/blocked"
	"github.com/zeebo/xxh3"
)

// rowM builds the filters of tables as the writer of one does: keys come one at
// a time, their number is known at the end, and the filter becomes bytes.
func rowM(b *bench, r *result) error {
	const required = 3
	counts := []int{10_000, 100_000, 1_000_000}
	if b.quick {
		counts = counts[:2]
	}
	for _, n := range counts {
		all16 := make([]byte, 16*n)
		keys := make([][]byte, n)
		for i := range keys {
			keys[i] = all16[16*i:][:16:16]
			tableKey(keys[i], uint64(i))
		}
		for _, bits := range []int{10, 16, 20} {
			builder, err := blocked.NewBuilderForBits(float64(bits))
			if err != nil {
				return err
			}
			var ours, theirs []byte
			var hashes []uint64
			var blob *blobloom.Filter
			size := n * bits / 8
			k := blobloomHashes(n, size)
			policy := bloom.FilterPolicy(bits)
			all, err := b.compare(r, fmt.Sprintf("%d keys, %d bits per key", n, bits), b.rounds,
				measurement{Bytes: size, Keys: n, BitsPerKey: float64(bits)},
				contender{name: "linebloom Builder", keys: n, noRate: true, pass: func() int {
					for _, key := range keys {
						builder.AddHash(blocked.HashKey(0, key))
					}
					ours, _ = builder.AppendCompact(ours[:0])
					return 0
				}},
				contender{name: "pebble NewWriter", keys: n, noRate: true, pass: func() int {
					w := policy.NewWriter(tableFilter)
					for _, key := range keys {
						w.AddKey(key)
					}
					theirs = w.Finish(theirs[:0])
					return 0
				}},
				contender{name: "blobloom New, Add, with XXH3", keys: n, noRate: true, pass: func() int {
					hashes = hashes[:0]
					for _, key := range keys {
						hashes = append(hashes, xxh3.Hash(key))
					}
					blob = blobloom.New(uint64(size)*8, k)
					for _, h := range hashes {
						blob.Add(h)
					}
					return 0
				}})
			if err != nil {
				return err
			}
			v, err := blocked.CompactView(ours)
			if err != nil {
				return err
			}
			for _, key := range keys {
				if !v.Has(key) || !policy.MayContain(tableFilter, theirs, key) || !blob.Has(xxh3.Hash(key)) {
					return fmt.Errorf("a key that was added is not found")
				}
			}
			for i, name := range []string{"pebble", "blobloom"} {
				r.judge(fmt.Sprintf("%s / Builder, %d keys, %d bits", name, n, bits), ratio(all[i+1], all[0]), required, false)
			}
		}
	}
	return nil
}
