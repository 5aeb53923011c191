// Package window holds filters that forget, and filters that are replaced while they
// serve.
//
//   - Sliding remembers the keys of the last hour, or the last million of them, and
//     tells of each key whether it was seen within that window.
//   - Live is rebuilt from its source, a table of a database for example, while it
//     serves and is added to.
//   - File answers from a filter file, and goes over to a new one that is put in its
//     place.
//
// All of them may be used by any number of goroutines at the same time, and none ever
// says no for a key that it must remember.
//
// # Sliding windows
//
// A Sliding is G filters, its generations. Keys are added to the newest; a look-up
// asks all of them, with one hash. When the newest has had its time the oldest is
// dropped and a new one begins. Seen adds a key that it found in an older generation
// to the newest again, so that a key which is seen often enough stays for ever.
//
// The time of a generation is Duration/(G-1). A key is remembered for at least
// Duration after the last call of Seen with it, including that very moment, and for at
// most Duration*G/(G-1), and how much a timer is late. Has does not make it longer.
//
// A window by Count is measured in additions to the newest generation instead, which
// happen at most once per call: a generation ends when it holds Count/(G-1) keys.
// Whatever keys come, generations are never fuller than they were made for, but for
// as many keys as there are goroutines that add at that moment. Calls are ordered as
// they add.
//
// G costs and saves this, in times of the filter for Capacity keys at FPRate/G:
//
//	generations                      2      3      5      9      17
//	remembered at most, in windows   2      1.5    1.25   1.13   1.06
//	filters in memory                3      4      6      10     18
//	the same, PerGeneration least    3      2      1.5    1.25   1.13
//
// Generations that are made for Capacity keys each are always large enough, also if
// all keys of a window come in one rush, or come again all the time and so are in
// every generation. A stream whose keys come at an even pace, and seldom again, gets
// by with PerGeneration = Capacity/(G-1); a window by Count always does. A bit more
// than 1 bit per key is added each time that G doubles, for the lower rate of each.
//
// Rotating costs whoever does it less than a cache miss or two per generation: the
// next generation was made ready by a goroutine, which lives no longer than that takes.
// If there is none yet, one is made on the spot. Nobody who only reads ever waits, and
// nothing is ever cleared that somebody may look at: a dropped generation belongs to
// the garbage collector. Memory is G+1 filters, see Sliding.Bytes.
//
// Without a Clock timers rotate, and no call has to read a clock. Timers are set only
// while there is something to forget, so that a Sliding needs no Close.
//
// # Speed
//
// For a key that is known, or new, Seen takes as long as look-ups in 1 to G filters,
// and adding to one. See the benchmarks of this package:
//
//	go test ./window -run '^$' -bench .
package window
