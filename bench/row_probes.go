package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// rowK is about a lower rate, which takes more than one round of probes.
func rowK(b *bench, r *result) error {
	const bytes, k, rate, what, required = 256 << 10, 12, 1e-4, "blobloom / HasHashes, 256 KiB, k = 12", 5
	if !b.wants(r, bytes, what, required, false) {
		return nil
	}
	p := blocked.Params{Blocks: bytes / 64, K: k}
	n := sort.Search(bytes*8, func(n int) bool { return p.FPRate(uint64(n)) > rate }) - 1
	ours, theirs := &linebloom{k: k}, new(blobloomRival)
	ours.Build(b.stock.first(n), bytes)
	theirs.Build(b.stock.first(n), bytes)
	for _, stream := range streams {
		hashes, held := queries(stream, n)
		all, err := b.compare(r, fmt.Sprintf("256 KiB, %.1f bits per key, %s", bytes*8/float64(n), stream), b.rounds,
			measurement{Bytes: bytes, Keys: n, BitsPerKey: round(bytes * 8 / float64(n)), Stream: stream},
			asking("linebloom HasHashes, k = 12", ours.Has, hashes, held),
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

// rowL compares the kernels where AVX-512 needs one round and AVX2 two. The
// promise is about every k.
func rowL(b *bench, r *result) error {
	const bytes, what, required = 256 << 10, "AVX2 / AVX-512, 256 KiB, least of k = 9 to 16", 1.15
	if !b.wants(r, bytes, what, required, false) {
		return nil
	}
	kernels := asm.Kernels()
	find := func(name string) int { // the best of that kind
		return slices.IndexFunc(kernels, func(k asm.Kernel) bool { return strings.HasPrefix(k.Name, name) })
	}
	at512, at2 := find(asm.AVX512), find(asm.AVX2)
	if at512 < 0 || at2 < 0 {
		r.skip(what, required, false, "this CPU or this build lacks one of the kernels")
		return nil
	}
	least := 0.0
	for k := 9; k <= generic.MaxK; k++ {
		ours := &linebloom{k: k}
		n := bytes * 8 / 2 / k // about as full as a filter whose best k this is
		ours.Build(b.stock.first(n), bytes)
		table := generic.NewTable(ours.filter.Blocks(), k)
		hashes, _ := queries(miss, n)
		answers := make([]uint64, len(hashes)/64)
		run := func(name string, kernel asm.Kernel) contender {
			return contender{name: name, keys: len(hashes), pass: func() int {
				kernel.HasHashes(answers, table, hashes)
				return countOnes(answers)
			}}
		}
		all, err := b.compare(r, fmt.Sprintf("256 KiB, miss, k = %d", k), b.rounds,
			measurement{Bytes: bytes, Keys: n, BitsPerKey: round(bytes * 8 / float64(n)), K: k, Stream: miss},
			run(kernels[at512].Name+" kernel", kernels[at512]), run(kernels[at2].Name+" kernel", kernels[at2]))
		if err != nil {
			return err
		}
		if err := sameHits(all[0], all[1]); err != nil {
			return err
		}
		if now := ratio(all[1], all[0]); least == 0 || now < least {
			least = now
		}
	}
	r.judge(what, least, required, false)
	return nil
}
