package main

import (
	"fmt"
	"runtime/debug"
)

// growth measures how the cost of a key grows with the filter, at every power
// of two. There is one filter at a time, so that the largest can be large.
func growth(b *bench, r *result) error {
	b.stock, b.tables = stock{}, nil // nothing that follows needs the others
	debug.FreeOSMemory()
	list := b.sizes
	if !b.chosen {
		list = growthSizes(b.quick, availableMemory())
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] <= wholeMax {
			b.stock.first(keysFor(list[i])) // at once: growing them copies
			break
		}
	}
	fmt.Fprintf(b.out, "%-11s%10s%10s%10s%11s%19s\n",
		"ns per key", "HasHashes", "HasHash", "limit", "AddHashes", "AddHashesParallel")
	for _, bytes := range list {
		if bytes > wholeMax {
			b.stock = stock{}
		}
		if err := b.grow(r, bytes); err != nil {
			return fmt.Errorf("%s: %w", sizeName(bytes), err)
		}
	}
	return chartGrowth(b.dir, r)
}

// growthSizes returns the powers of two from 16 KiB to the largest size, which is
// 64 MiB in a quick run and 4 GiB otherwise, or a tenth of the memory that is
// available if that is less. With its hashes and what AddHashesParallel takes, a
// filter of wholeMax needs eight times its own size, a larger one three times.
func growthSizes(quick bool, available uint64) []int {
	largest := uint64(64 << 20)
	if !quick {
		largest = 4 << 30
	}
	if available == 0 { // not known
		available = 10 * wholeMax
	}
	largest = min(largest, available/10, uint64(maxInt))
	sizes := []int{16 << 10}
	for next := uint64(32 << 10); next <= largest; next *= 2 {
		sizes = append(sizes, int(next))
	}
	return sizes
}

// grow measures one size and prints its line.
func (b *bench) grow(r *result, bytes int) error {
	debug.FreeOSMemory() // the filter before this one
	f, n := &linebloom{k: 6}, keysFor(bytes)
	f.Make(n, bytes)

	adds, err := b.growthAdds(f, n)
	if err != nil {
		return err
	}
	hashes, _ := queries(miss, n)
	var sink uint64
	tests, err := measure(b.rounds, []contender{
		asking("linebloom HasHashes", f.Has, hashes, 0),
		asking("linebloom HasHash", f.HasOne, hashes, 0),
		limits(f, hashes, &sink)[1], // the loop that prefetches
	})
	if err != nil {
		return err
	}
	if err := sameHits(tests[0], tests[1]); err != nil {
		return err
	}
	from := len(r.Measurements)
	about := measurement{Bytes: bytes, Keys: n, BitsPerKey: bitsPerKey, K: f.k, Stream: miss}
	r.record(tests, about)
	about.Stream = ""
	r.record(adds, about)
	b.printGrowth(bytes, r.Measurements[from:])
	return nil
}

// growthAdds measures the adding of n keys and leaves them in the filter.
func (b *bench) growthAdds(f *linebloom, n int) ([]series, error) {
	bytes := f.Bytes()
	if bytes > wholeMax {
		return growthAddsInChunks(f, n)
	}
	rounds := b.rounds
	if bytes > 4<<20 { // passes take up to ten seconds
		rounds = min(rounds, 3)
	}
	hashes := b.stock.first(n)
	all, err := measure(rounds, []contender{adding(f.filter, hashes), addingParallel(f.filter, hashes)})
	if err != nil {
		return nil, err
	}
	return all, holds(f, hashes)
}

// growthAddsInChunks adds everything once by each method. A chunk has as much
// memory as the filter: with a small one AddHashesParallel, which sorts the keys
// of each call, would find few keys for each part of a large filter, and the
// chart would show the chunk instead of the filter.
func growthAddsInChunks(f *linebloom, n int) ([]series, error) {
	all := []series{{contender: adding(f.filter, nil)}, {contender: addingParallel(f.filter, nil)}}
	for i, add := range []func([]uint64){
		f.filter.AddHashes,
		func(hashes []uint64) { f.filter.AddHashesParallel(hashes, 0) },
	} {
		f.filter.Clear() // and, the first time, brings its pages in
		took := inChunks(n, f.Bytes()/8, add)
		all[i].keys = n
		all[i].nsPerKey = []float64{float64(took.Nanoseconds()) / float64(n)}
		if err := holds(f, hashesFrom(0, min(n, queryKeys))); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// printGrowth prints the line of one size, whose measurements are in the order
// of the columns.
func (b *bench) printGrowth(bytes int, ms []measurement) {
	fmt.Fprintf(b.out, "%-11s", sizeName(bytes))
	for i, width := range []int{10, 10, 10, 11, 19} {
		fmt.Fprintf(b.out, "%*s", width, digits(ms[i].NsPerKey))
	}
	fmt.Fprintln(b.out)
}
