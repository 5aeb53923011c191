// Package scalable is a Bloom filter for an unknown number of keys: it grows, and
// its false positive rate stays below what was asked for however many keys come.
//
// A Filter is a chain of blocked filters, its links. Keys go to the newest link.
// When that is full, a larger one is added, with a smaller share of the rate: a
// tenth of what the links before it have left, so that their sum never reaches
// the whole. This is the scheme of Almeida, Baquero, Preguiça and Hutchison,
// "Scalable Bloom Filters" (Information Processing Letters 101, 2007), with the
// tightening ratio 0.9. A look-up hashes the key once and asks for the lines of
// all links before it tests the first.
//
// # What it costs
//
// If the number of keys is known within a factor of two or so, a blocked filter
// of the larger number is smaller and faster. A chain takes more memory for two
// reasons: its links have a small part of the rate each, and the newest is never
// quite full. Against a blocked filter for exactly n keys with the same rate, a
// chain that began with 1,000 keys takes, at 1 %,
//
//	n           links   bytes against one filter
//	1,000           1   1.6
//	10,000          2   1.8
//	1,000,000       5   1.8
//	10,000,000      8   3.4
//	100,000,000    10   2.4
//
// and 1.6 to 5.4 times as much in between, 3.0 on average: least when the newest
// link is full, most when it was just added. At a rate of 1e-4 it is 1.4 to 4.6
// times. See grow.go for the choice of numbers, and TestLinksAndMemory for more of
// them. A look-up takes as many lines as there are links, most of them from links
// that are small enough for the caches: BenchmarkAgainstOneFilter measures it.
//
// # Concurrent use
//
// Any number of goroutines may ask and add at the same time. Look-ups never wait.
// Adds take no locks but when a link is full: then they wait until the next one is
// there, which is the time to allocate it.
package scalable
