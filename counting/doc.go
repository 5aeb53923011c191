// Package counting is a Bloom filter from which keys can be removed: a blocked
// filter and a counter of 4 bits for each of its bits, which says how many keys
// have that bit.
//
// Look-ups read the bits alone and are those of package blocked, kernels and
// batches included. Adding and removing change counters as well; a bit is cleared
// when its counter comes down to 0. Plain gives the plain filter of the keys that are
// left, to be sent, or kept in a file that package filterfile maps.
//
// Against a blocked.AtomicFilter of the same capacity and rate it costs
//
//	memory     5 times: 64 bytes of bits and 256 of counters for each block
//	look-ups   the same
//	adds       3 to 6 times the time
//	removes    3 to 8 times the time of an add there
//
// of which BenchmarkAgainstPlain gives the figures for the machine at hand. On large
// filters batches are added and removed in half the time of single keys.
//
// # What may be removed
//
// A Filter holds a multiset. A key that was added twice is there until it is
// removed twice, and only what was added may be removed. Remove of a key that is
// certainly not there returns false and changes nothing. But the filter cannot tell
// a key from a false positive: Remove of a key that was never added, or was removed
// before, returns true with the false positive rate, and takes away what other keys
// count on. A key among those can then be answered with no though it was not
// removed. As long as every key is removed at most as often as it was added, there
// is no false no, ever.
//
// For the same reason there is no "add if it is not there yet": a key that looked
// present by chance would be left out, and lost when the others are removed.
// TestAndAdd adds in any case and tells what it saw; who wants each key once and
// saw true takes it back with Remove.
//
// # Counters that stick
//
// A counter that reaches 15 stays there. It cannot tell how many keys it has lost
// count of, so it is never lowered again, and its bit stays set for ever. This
// causes no false no: it makes a few absent keys look present, and Plain is then
// no longer bit-identical to a filter built from the keys that are left. Stuck
// tells how many counters there are of that kind.
//
// With distinct keys up to the capacity, and a rate of at most 0.1, fewer than one
// counter in 10^15 sticks: how many keys have a bit is Poisson distributed with a
// mean of K over the bits per key, below 0.7. But a key that is added 15 times makes
// all of its counters stick, and can no longer be removed: Remove still returns
// true, and the key still looks present. Who adds the same keys over and over should
// take back what TestAndAdd saw, or count elsewhere.
//
// # Concurrency
//
// Any number of goroutines may test, add and remove at the same time. Look-ups take
// no lock and never wait. An add that happened before a look-up is seen by it
// unless the key is removed, whatever happens to other keys of its block meanwhile.
// Adds and removes hold one of up to 1024 locks, each for some of the blocks, and
// batches up to 16 at a time, so that they seldom wait for each other. What reads or
// writes the whole filter (Plain, Clone, Clear, Len, Save, the methods that encode)
// holds all of them: adds and removes wait until it is done, and what comes of it is
// the filter as it was at one instant. Only UnmarshalBinary, UnmarshalText and
// ReadFrom, which make a Filter another one, must not be called beside other methods.
package counting
