// Command bench measures linebloom against its rivals, against the limit of the
// machine, and against the figures that it promises:
//
//	go run ./bench -quick
//
// from the root of the repository prints tables and writes their numbers and
// charts to docs/bench. Without -quick it takes longer and goes up to filters
// of 512 MiB, and in the experiment about growth, where linebloom is alone, up to
// 4 GiB if the memory of the machine allows it.
//
//	go run ./bench -guard
//
// writes nothing and fails if package blocked does not use a kernel where it
// should. It compares its operations with package generic on the same machine at
// the same time, so that it holds on any machine and on a busy one.
//
// How it measures. Whoever is compared runs in one process, pinned to one CPU,
// in turns, round after round; the tables show medians over the rounds, and
// ratios are medians of the ratios of each round, so that a change of the
// machine's speed strikes both sides alike. The queries are a million distinct
// random keys, since a branch predictor learns the answers to a few thousand.
// All Bloom filters get the same bytes of memory and the number of probes that
// is best for them, and huge pages; answers are checked, and rates of wrong
// answers stand beside speeds. The garbage collector rests while a clock runs.
package main
