package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// cpus returns the CPUs that the process may use.
func cpus() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var list []int
	for cpu := 0; len(list) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list
}

// pin keeps the calling goroutine on one CPU, so that its caches stay warm, and
// reports whether that succeeded. Threads that Go starts later are free.
func pin(cpu int) bool {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set) == nil
}
