package main

import "fmt"

// rowH adds ready hashes to filters that are there already and empty: the time
// to allocate and to fetch pages from the system is not counted for either. The
// promise for large filters is about adding with all CPUs, and there the memory
// that AddHashesParallel takes for itself does count.
func rowH(b *bench, r *result) error {
	for _, c := range []struct {
		bytes    int
		required float64
		rounds   int // at most: the large ones take half a minute each
		parallel bool
	}{{256 << 10, 4, b.rounds, false}, {64 << 20, 14, 5, true}, {512 << 20, 10, 3, true}} {
		method := "AddHashes"
		if c.parallel {
			method = "AddHashesParallel"
		}
		what := "blobloom Add / " + method + ", " + sizeName(c.bytes)
		if !b.wants(r, c.bytes, what, c.required, false) {
			continue
		}
		ours, theirs := b.stock.linebloom(c.bytes), b.stock.blobloom(c.bytes)
		hashes := b.stock.first(keysFor(c.bytes))
		contenders := []contender{
			adding(ours.filter, hashes),
			{name: "blobloom Add", keys: len(hashes), before: theirs.filter.Clear,
				pass: func() int { theirs.Add(hashes); return 0 }},
		}
		if c.parallel {
			contenders = append(contenders, addingParallel(ours.filter, hashes))
		}
		all, err := b.compare(r, sizeName(c.bytes)+", all its keys", min(b.rounds, c.rounds),
			measurement{Bytes: c.bytes, Keys: len(hashes), BitsPerKey: bitsPerKey}, contenders...)
		if err != nil {
			return err
		}
		if err := holds(ours, hashes); err != nil {
			return err
		}
		if n := min(queryKeys, len(hashes)); theirs.Has(hashes[:n]) != n {
			return fmt.Errorf("%s: a key that was added is not found", sizeName(c.bytes))
		}
		judged := all[0]
		if c.parallel {
			judged = all[2]
		}
		r.judge(what, ratio(all[1], judged), c.required, false)
	}
	return nil
}
