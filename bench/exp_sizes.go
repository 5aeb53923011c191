package main

import (
	"fmt"
	"strings"
)

// sizes asks every rival at every size, and touches the same lines and nothing
// else, which is the limit.
func sizes(b *bench, r *result) error {
	for _, bytes := range b.sizes {
		n := keysFor(bytes)
		ours := b.stock.linebloom(bytes)
		times := map[string]*[3]measurement{}
		var names []string
		for at, stream := range streams {
			hashes, held := queries(stream, n)
			var sink uint64
			contenders := []contender{
				asking("linebloom HasHashes", ours.Has, hashes, held),
				asking("linebloom HasHash", ours.HasOne, hashes, held),
			}
			for i := range contenders {
				contenders[i].ownBytes = ours.Bytes()
			}
			for _, c := range classes[1:] {
				if b.takesPart(c, bytes) {
					rival := b.stock.get(c, bytes)
					next := asking(rival.Name(), rival.Has, hashes, held)
					next.ownBytes = rival.Bytes()
					contenders = append(contenders, next)
				}
			}
			contenders = append(contenders, limits(ours, hashes, &sink)...)
			all, err := measure(b.rounds, contenders)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", sizeName(bytes), stream, err)
			}
			from := len(r.Measurements)
			r.record(all, measurement{Bytes: bytes, Keys: n, BitsPerKey: bitsPerKey, Stream: stream})
			for _, m := range r.Measurements[from:] {
				if times[m.Contender] == nil {
					times[m.Contender] = new([3]measurement)
					names = append(names, m.Contender)
				}
				times[m.Contender][at] = m
			}
		}
		b.printSizes(bytes, names, times)
	}
	return chartLookups(b.dir, r)
}

// printSizes prints a table of one size: ns per key of each stream, and the
// ratio of each contender's time to that of the first for absent keys.
func (b *bench) printSizes(bytes int, names []string, times map[string]*[3]measurement) {
	fmt.Fprintf(b.out, "%-32s %6s %6s %6s %6s %8s %9s\n",
		sizeName(bytes)+", ns/key", miss, hit, half, "ratio", "wrong", "bits/key")
	for _, name := range names {
		t := times[name]
		wrong, own := "", ""
		if t[0].WrongRate != nil {
			wrong = percent(*t[0].WrongRate)
		}
		if t[0].OwnBytes > 0 {
			own = fmt.Sprintf("%.1f", float64(t[0].OwnBytes)*8/float64(t[0].Keys))
		}
		fmt.Fprintln(b.out, strings.TrimRight(fmt.Sprintf("  %-30s %6s %6s %6s %6.2f %8s %9s",
			name, digits(t[0].NsPerKey), digits(t[1].NsPerKey), digits(t[2].NsPerKey), t[0].Ratio, wrong, own), " "))
	}
	if limit := lowestLimit(times); limit > 0 {
		fmt.Fprintf(b.out, "  HasHashes takes %.2f times the limit\n", 1/limit)
	}
	fmt.Fprintln(b.out)
}

// lowestLimit returns the time of the faster of the two loops that only touch
// lines, as a part of the time of linebloom, for absent keys.
func lowestLimit(times map[string]*[3]measurement) float64 {
	lowest := 0.0
	for name, t := range times {
		if strings.HasPrefix(name, "limit") && (lowest == 0 || t[0].Ratio < lowest) {
			lowest = t[0].Ratio
		}
	}
	return lowest
}
