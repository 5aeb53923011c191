package main

import (
	"fmt"

	"github.com/greatroar/blobloom"
	"github.com/linebloom/linebloom/blocked"
)

// rowI adds to filters that other goroutines may use meanwhile: keys that are
// new, keys that are there, and new keys from two goroutines at once.
func rowI(b *bench, r *result) error {
	const bytes = 4 << 20
	const whatNew, whatOld, whatTwo = "SyncFilter.Add / AddHashes, 4 MiB, new keys",
		"SyncFilter.Add / AddHashes, 4 MiB, known keys", "AddHashes by one / by two goroutines, 4 MiB"
	if !b.wants(r, bytes, whatNew, 1.5, false) {
		return nil
	}
	f, err := blocked.NewAtomicFromParams(blocked.Params{Blocks: bytes / 64, K: 6})
	if err != nil {
		return err
	}
	var theirs *blobloom.SyncFilter
	hashes := b.stock.first(keysFor(bytes))
	fresh := func() { // a SyncFilter cannot be cleared
		theirs = blobloom.NewSync(bytes*8, blobloomHashes(len(hashes), bytes))
		adviseHeap(bytes)
	}
	ours := contender{name: "linebloom AddHashes", keys: len(hashes), before: f.Clear,
		pass: func() int { f.AddHashes(hashes); return 0 }}
	rival := contender{name: "blobloom SyncFilter.Add", keys: len(hashes), before: fresh, pass: func() int {
		for _, h := range hashes {
			theirs.Add(h)
		}
		return 0
	}}
	about := measurement{Bytes: bytes, Keys: len(hashes), BitsPerKey: bitsPerKey}

	contenders := []contender{ours, rival}
	if len(b.cpus) > 1 {
		pair, stop := workers(b.cpus[0], b.cpus[1])
		defer stop()
		middle := len(hashes) / 2
		lower, upper := func() { f.AddHashes(hashes[:middle]) }, func() { f.AddHashes(hashes[middle:]) }
		contenders = append(contenders, contender{name: "linebloom AddHashes, two goroutines", keys: len(hashes),
			before: f.Clear, pass: func() int { pair(lower, upper); return 0 }})
	}
	all, err := b.compare(r, "4 MiB, new keys", b.rounds, about, contenders...)
	if err != nil {
		return err
	}
	if n := queryKeys; f.HasHashes(make([]uint64, n/64), hashes[:n]) != n {
		return fmt.Errorf("a key that was added is not found")
	}
	r.judge(whatNew, ratio(all[1], all[0]), 1.5, false)

	ours.before, rival.before = nil, nil
	known, err := b.compare(r, "4 MiB, known keys", b.rounds, about, ours, rival)
	if err != nil {
		return err
	}
	r.judge(whatOld, ratio(known[1], known[0]), 6, false)
	if len(all) > 2 {
		r.judge(whatTwo, ratio(all[0], all[2]), 1.7, false)
	} else {
		r.skip(whatTwo, 1.7, false, "there are not two CPUs that a goroutine can be pinned to")
	}
	return nil
}

// workers starts two goroutines, each on a CPU of its own. run hands each of
// them a function and returns when both are done.
func workers(cpu0, cpu1 int) (run func(f, g func()), stop func()) {
	start := func(cpu int) (work chan func(), done chan struct{}) {
		work, done = make(chan func()), make(chan struct{})
		go func() {
			pin(cpu) // until the goroutine ends, and its thread with it
			for f := range work {
				f()
				done <- struct{}{}
			}
		}()
		return work, done
	}
	work0, done0 := start(cpu0)
	work1, done1 := start(cpu1)
	run = func(f, g func()) {
		work0 <- f
		work1 <- g
		<-done0
		<-done1
	}
	return run, func() {
		close(work0)
		close(work1)
	}
}
