// Package blocked is a Bloom filter that answers with one memory access: all
// bits of a key lie in one 64-byte block, one cache line. Keys are tested and
// added one by one or, several times faster, in batches, by AVX2, AVX-512 or
// NEON code where the CPU has it and by Go code elsewhere.
//
// A filter never says no for a key that was added. For other keys it says yes
// with a probability, the false positive rate, that New holds under what was
// asked for, up to the capacity it was made with.
//
// # Types
//
//   - Filter is for one writer or any number of readers at a time.
//   - AtomicFilter is for any number of both at the same time, without locks.
//   - View reads a filter that lies in other memory: a file, a part of an
//     SSTable, another filter.
//   - Builder collects keys whose number is not known yet and makes a Filter of
//     the right size.
//
// Two filters with equal Params hold equal bits for equal keys: they can be
// compared, united and intersected.
//
// Other packages are made of these:
//
//	need                                   type                    memory  look-ups
//	keys are removed again                 counting.Filter         5x      1x
//	the number of keys is not known        scalable.Filter         1.6-5x  1-6x
//	what was seen within the last hour     window.Sliding          3x      2-5x
//	it is rebuilt while it serves          window.Live             1-2x    1x
//	a file that is replaced                window.File             1x      1-2x
//	it outlives the process                filterfile.File         1x      1-2x
//	several processes share it             filterfile.Shared       1x      1-2x
//	many machines share it                 adapter/redis           1x      a round trip
//
// # Keys and hashes
//
// A key is a []byte, a string or a uint64, which stands for its eight
// little-endian bytes. It is hashed by XXH3-64 with the filter's seed. Who asks
// many filters about one key, or keeps hashes anyway, computes HashKey once and
// uses the methods that end in Hash, Hashes and Each. The hash must be that of
// HashKey, or another good 64-bit hash used throughout: all 64 bits are used.
//
// An attacker who knows the seed can make keys that collide. Choose it at random
// (WithSeed) where keys come from strangers.
//
// # Memory
//
// A filter is B blocks of 64 bytes and a few words. A filter of 4 MiB or more
// asks the system for huge pages. No query allocates. Params.Bytes tells what a
// filter will take before it is made; making one that is larger than the
// machine's memory ends the program, as any such allocation in Go does, so
// bound sizes that come from outside with WithMaxBytes.
package blocked
