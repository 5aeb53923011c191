package main

import (
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A goroutine that is pinned starts others that are not: AddHashesParallel gets
// all CPUs. A new thread has the CPUs of the one that makes it, and Go lets a
// locked one make none.
func TestPinnedGoroutineStartsFreeOnes(t *testing.T) {
	free := cpus()
	if len(free) < 2 {
		t.Skip("there is only one CPU")
	}
	const workers = 8
	var own int
	var counts [workers]int
	var pinned sync.WaitGroup
	pinned.Go(func() {
		// The thread ends with this goroutine, which does not unlock it.
		if !pin(free[len(free)-1]) {
			t.Error("the goroutine cannot be pinned")
			return
		}
		own = allowed()
		var started, all sync.WaitGroup
		started.Add(workers)
		for i := range counts {
			all.Go(func() {
				runtime.LockOSThread() // so that each has a thread of its own
				defer runtime.UnlockOSThread()
				started.Done()
				started.Wait()
				counts[i] = allowed()
			})
		}
		all.Wait()
	})
	pinned.Wait()
	if own != 1 {
		t.Errorf("the pinned goroutine may use %d CPUs", own)
	}
	for _, n := range counts {
		if n != len(free) {
			t.Errorf("the goroutines it starts may use %d CPUs, want %d each", counts, len(free))
			break
		}
	}
}

// allowed returns the number of CPUs that the calling thread may use.
func allowed() int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return 0
	}
	return set.Count()
}
