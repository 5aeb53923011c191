package main

import "fmt"

// rowH adds ready hashes to filters that are there already and empty: the time
// to allocate and to fetch pages from the system is not counted for either.
func rowH(b *bench, r *result) error {
	for _, c := range []struct {
		bytes    int
		required float64
		rounds   int // at most: the large ones take half a minute each
	}{{256 << 10, 4, b.rounds}, {64 << 20, 14, 5}, {512 << 20, 10, 3}} {
		what := "blobloom Add / AddHashes, " + sizeName(c.bytes)
		if !b.wants(r, c.bytes, what, c.required, false) {
			continue
		}
		ours, theirs := b.stock.linebloom(c.bytes), b.stock.blobloom(c.bytes)
		hashes := b.stock.first(keysFor(c.bytes))
		all, err := b.compare(r, sizeName(c.bytes)+", all its keys", min(b.rounds, c.rounds),
			measurement{Bytes: c.bytes, Keys: len(hashes), BitsPerKey: bitsPerKey},
			contender{name: "linebloom AddHashes", keys: len(hashes), before: ours.filter.Clear,
				pass: func() int { ours.Add(hashes); return 0 }},
			contender{name: "blobloom Add", keys: len(hashes), before: theirs.filter.Clear,
				pass: func() int { theirs.Add(hashes); return 0 }})
		if err != nil {
			return err
		}
		if n := min(queryKeys, len(hashes)); ours.Has(hashes[:n]) != n || theirs.Has(hashes[:n]) != n {
			return fmt.Errorf("%s: a key that was added is not found", sizeName(c.bytes))
		}
		r.judge(what, ratio(all[1], all[0]), c.required, false)
	}
	return nil
}
