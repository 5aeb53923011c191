// Package goleveldb puts linebloom's blocks into the tables of
// github.com/syndtr/goleveldb:
//
//	db, err := leveldb.OpenFile(path, &opt.Options{Filter: goleveldb.NewFilter(10)})
//
// Databases whose tables were written with another filter name it in
// Options.AltFilters and go on using it.
//
// # Geometry
//
// LevelDB makes a filter for every 2 KiB of a table, of some tens of keys. Whole
// blocks of 64 bytes and a trailer of 16 would waste a third of such a filter.
// So this package counts in halves of a block: a filter has the number of
// 32-byte halves that is nearest to the bits per key that were asked for, at
// least one, and the k that is best for the keys that there are. Pairs of halves
// are blocks as everywhere in linebloom. A half that is left over is a block
// whose two rows of words were laid on top of each other; it gets half as many
// keys as a whole one.
//
// Measured by this package's tests, as a multiple of what LevelDB's own Bloom
// filter has with as many bits per key:
//
//	             8-23 keys       24-47 keys      48-127 keys
//	bits/key   bytes   rate    bytes   rate    bytes   rate
//	10          1.69   0.11     1.03   1.5      1.02   1.1
//	16          1.09   0.3      1.08   0.4      1.02   0.9
//	20          1.08   0.2      1.03   0.3      1.01   0.6
//
// # Bytes
//
//	size
//	32*m   the halves, 1 <= m
//	1      k-1 in the lower four bits, the version 1 in the upper four
//	2      check, little-endian: the two halves of a CRC32C, xored, of the byte
//	       before it and then of the halves, or the first 512 bytes of them
//
// With h the XXH3-64 of a key, seed 0, the key's half is lo*m >> 32, lo being the
// lower 32 bits of h. Inside the block, or the half alone, its bits lie as
// package generic says, modulo 256 in a half alone.
//
// The check is made for every look-up. Bytes that are truncated, damaged or not a
// filter of this package answer maybe, but for one in 65,536.
//
// # When not to use it
//
// One look-up in LevelDB searches an index, checks a filter that is in the cache
// with the table's others, and takes locks; the filter is little of that, so
// do not expect speed of this. At 10 bits per key LevelDB's own filter, with bits
// anywhere in those few bytes, has fewer false positives: stay with it. Use this
// one at 16 bits per key and more, or to have damage answer maybe. With values
// of a few hundred bytes or more a filter has a handful of keys, 32 bytes are
// more than they need, and LevelDB's is much smaller. Strangers who choose the
// keys know the seed. Pebble has one filter for a whole table: use its adapter.
package goleveldb
