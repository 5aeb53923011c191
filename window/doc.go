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
// about as many keys as there are goroutines that add at that moment.
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
// by with PerGeneration = Capacity/(G-1); a window by Count always does. Each time that
// G doubles, the rate FPRate/G costs 1.7 bits per key more: at FPRate 1 % a filter has
// 11.6 bits per key for G = 2, 13.8 for 5 and 17 for 17.
//
// Rotating takes whoever does it some microseconds, whatever the size: the next
// generation was made ready by a goroutine, which lives no longer than that takes. If
// there is none yet, one is made on the spot. Those who only read never wait, and
// nothing is cleared that somebody may look at: a dropped generation is left to the
// garbage collector. Memory is G+1 filters, see Sliding.Bytes.
//
// Without a Clock timers rotate, and no call has to read a clock. Timers are set only
// while there is something to forget, so that a Sliding needs no Close.
//
// # Rebuilding
//
// Live.Rebuild reads a source, an iterator or a channel, into a new filter, which then
// takes the place of the old one in one step. Until then the old one serves; what is
// added goes to both. If the rebuild fails or is cancelled, the old one just goes on.
// No key of the source, or added meanwhile, is ever missing, whatever the goroutines do
// in whatever order, if writers store a key in the source before they add it.
//
// Look-ups cost what they cost in a blocked.AtomicFilter, and an adding one load of a
// word more.
//
// # Files
//
// File looks at its path again at times, or when Refresh is called, and opens a new
// file beside the old one. Readers go over from one call to the next, and the old file
// is unmapped by the last of them. For that each call counts itself, which takes two
// atomic additions, in places that differ by goroutine, so that readers do not slow
// each other down as they would with a lock.
//
// # Speed
//
// Seen of a key in the newest generation is a look-up in that; of any other key, it is
// a look-up in each generation and adding it to one. The benchmarks compare that, and
// the others, with single filters:
//
//	go test ./window -run '^$' -bench .
package window
