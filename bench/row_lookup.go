package main

func rowA(b *bench, r *result) error {
	if err := batchLookup(b, r, 16<<10, 9); err != nil {
		return err
	}
	return batchLookup(b, r, 256<<10, 9)
}

func rowB(b *bench, r *result) error { return batchLookup(b, r, 4<<20, 7.5) }

func rowC(b *bench, r *result) error {
	if err := batchLookup(b, r, 64<<20, 8); err != nil {
		return err
	}
	return batchLookup(b, r, 512<<20, 6)
}

func rowG(b *bench, r *result) error {
	if err := oneLookup(b, r, 256<<10, 2.8); err != nil {
		return err
	}
	return oneLookup(b, r, 512<<20, 1)
}

func batchLookup(b *bench, r *result, bytes int, required float64) error {
	return lookup(b, r, bytes, "HasHashes", (*linebloom).Has, required)
}

func oneLookup(b *bench, r *result, bytes int, required float64) error {
	return lookup(b, r, bytes, "HasHash", (*linebloom).HasOne, required)
}

// lookup compares a method of linebloom with blobloom. The promise is about
// absent keys; the other streams are for the record.
func lookup(b *bench, r *result, bytes int, method string, has func(*linebloom, []uint64) int, required float64) error {
	what := "blobloom / " + method + ", " + sizeName(bytes)
	if !b.wants(r, bytes, what, required, false) {
		return nil
	}
	ours, theirs := b.stock.linebloom(bytes), b.stock.blobloom(bytes)
	for _, stream := range streams {
		hashes, held := queries(stream, keysFor(bytes))
		all, err := b.compare(r, sizeName(bytes)+", "+stream, b.rounds,
			measurement{Bytes: bytes, Keys: keysFor(bytes), BitsPerKey: bitsPerKey, Stream: stream},
			asking("linebloom "+method, func(h []uint64) int { return has(ours, h) }, hashes, held),
			asking("blobloom Has", theirs.Has, hashes, held))
		if err != nil {
			return err
		}
		if stream == miss {
			r.judge(what, ratio(all[1], all[0]), required, false)
		}
	}
	return nil
}
