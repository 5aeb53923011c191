package main

import (
	"fmt"
	"runtime"
	"slices"
)

// builders are the classes, and linebloom with all CPUs, which is built in
// another way and asked in the same. Above wholeMax the chunks of the stock are
// too small for it to gain what it can: see growth.
var builders = slices.Insert(slices.Clone(classes), 1,
	class{func() rival { return &linebloom{k: 6, parallel: true} }, wholeMax, true})

// build measures how long it takes to make a filter out of ready hashes, with
// its memory: the allocation and the first touch of every page count.
func build(b *bench, r *result) error {
	for _, bytes := range b.sizes {
		n := keysFor(bytes)
		var all []series
		if once := bytes > 64<<20 || b.quick && bytes > 4<<20; once {
			// These take minutes: what it took to fill the stock must do.
			for _, c := range builders {
				if b.takesPart(c, bytes) {
					rival := b.stock.get(c, bytes)
					all = append(all, series{
						contender: contender{name: rival.Name(), keys: n, noRate: true, ownBytes: rival.Bytes()},
						nsPerKey:  []float64{float64(rival.took.Nanoseconds()) / float64(n)},
					})
				}
			}
		} else {
			hashes := b.stock.first(n)
			var contenders []contender
			for _, c := range builders {
				if !b.takesPart(c, bytes) {
					continue
				}
				var rival rival
				contenders = append(contenders, contender{name: c.new().Name(), keys: n, noRate: true,
					before: func() {
						rival = c.new()
						if bytes >= 64<<20 {
							runtime.GC() // of the one before
						}
					},
					pass: func() int { rival.Build(hashes, bytes); return 0 }})
			}
			rounds := b.rounds
			if bytes > 4<<20 {
				rounds = min(rounds, 3)
			}
			var err error
			if all, err = measure(rounds, contenders); err != nil {
				return err
			}
		}
		from := len(r.Measurements)
		r.record(all, measurement{Bytes: bytes, Keys: n, BitsPerKey: bitsPerKey})
		b.printSeries(fmt.Sprintf("%s, %d keys", sizeName(bytes), n), r.Measurements[from:])
	}
	return chartBuilds(b.dir, r)
}
