package main

import (
	"fmt"
	"math/bits"

	"github.com/greatroar/blobloom"
	"github.com/linebloom/linebloom/blocked"
)

// rowJ asks 16 filters about each key, as a reader of sorted tables does.
func rowJ(b *bench, r *result) error {
	const n, bytes, what, required = 16, 4 << 20, "blobloom / HasHashEach, 16 filters of 4 MiB", 4
	if !b.wants(r, bytes, what, required, false) {
		return nil
	}
	keys := keysFor(bytes)
	hashes := b.stock.first(n * keys)
	var views []blocked.View
	var theirs []*blobloom.Filter
	for i := range n {
		own := hashes[i*keys : (i+1)*keys]
		f := &linebloom{k: 6}
		f.Build(own, bytes)
		views = append(views, f.filter.View())
		g := new(blobloomRival)
		g.Build(own, bytes)
		theirs = append(theirs, g.filter)
	}
	for _, stream := range []string{miss, hit} {
		// A key that is held is held by one of the filters.
		asked, held := queries(stream, len(hashes))
		all, err := b.compare(r, "16 filters of 4 MiB, "+stream, b.rounds,
			measurement{Bytes: bytes, Keys: keys, BitsPerKey: bitsPerKey, Stream: stream},
			contender{name: "linebloom HasHashEach", keys: len(asked), atLeast: held, noRate: true, pass: func() int {
				var answers [1]uint64
				hits := 0
				for _, h := range asked {
					hits += blocked.HasHashEach(answers[:], views, h)
				}
				return hits
			}},
			contender{name: "blobloom Has, 16 times", keys: len(asked), atLeast: held, noRate: true, pass: func() int {
				hits := 0
				for _, h := range asked {
					var answers uint64
					for i, f := range theirs {
						if f.Has(h) {
							answers |= 1 << i
						}
					}
					hits += bits.OnesCount64(answers)
				}
				return hits
			}})
		if err != nil {
			return err
		}
		if stream == miss {
			for _, s := range all {
				fmt.Fprintf(b.out, "  %s is wrong in %s\n", s.name, percent(float64(s.hits)/float64(n*s.keys)))
			}
			r.judge(what, ratio(all[1], all[0]), required, false)
		}
	}
	return nil
}
