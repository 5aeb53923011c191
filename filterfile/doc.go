// Package filterfile keeps filters in files, in the format of docs/FORMAT.md.
//
// Save writes a filter, and Open maps it again, read-only and without copying:
// in microseconds, whatever its size, if it is told not to check the blocks
// first. Create and OpenShared map a file that several processes and goroutines
// read and add to at the same time.
//
// # What survives
//
// Save replaces a file in one step: whoever opens it, at any time and after any
// crash, finds the old filter or the new one, whole.
//
// A shared file has no log and needs none, since bits only ever go from 0 to 1.
// The death of a process loses nothing: what was added is in the system's memory.
// After a crash of the system, every key whose add returned before a successful
// Sync is there; of the keys added later some may be, in part or in whole, and
// parts of keys do no harm but to the rate.
//
// # Faults
//
// A mapped file that is truncated by someone, or lies on a disk that cannot be
// read, makes the methods of this package panic with an error that can be
// recovered. A View, which is as fast as a filter in memory, ends the program
// instead, unless its user calls debug.SetPanicOnFault.
package filterfile
