package main

// bitsPerKey is how densely filters are filled unless said.
const bitsPerKey = 10

// A rival is a set that is asked about batches of keys. A key is a uint64, a
// ready hash; a rival that wants bytes gets those of the uint64, and the time
// to hash them is part of its time. The loops over keys stand in the files of
// the rivals, so that no call through an interface falls on a key.
type rival interface {
	Name() string
	// Build makes the set of hashes, in about that many bytes if it can choose.
	Build(hashes []uint64, bytes int)
	// Has returns how many of hashes are found.
	Has(hashes []uint64) int
	// Bytes returns the size of what Has reads, without constant overhead.
	Bytes() int
}

// A growing rival is filled step by step. Build is Make and Add.
type growing interface {
	rival
	Make(keys, bytes int)
	Add(hashes []uint64)
}

// A modelled rival knows what rate of wrong answers to expect of n keys.
type modelled interface {
	Model(n int) float64
}

// A class says where a rival takes part.
type class struct {
	new   func() rival
	max   int  // the largest filter, in bytes of the Bloom filters beside it
	bloom bool // a Bloom filter, which is given any number of bits per key
}

// classes, linebloom first. Above their maximum, binary fuse filters need more
// memory to be built than the machine at hand has, and maps in themselves.
var classes = []class{
	{func() rival { return &linebloom{k: 6} }, maxInt, true},
	{func() rival { return new(blobloomRival) }, maxInt, true},
	{func() rival { return new(parquetRival) }, maxInt, true},
	{func() rival { return new(bitsAndBlooms) }, 512 << 20, true},
	{func() rival { return new(pebbleRival) }, 512 << 20, true},
	{func() rival { return new(fuseRival) }, 64 << 20, false},
	{func() rival { return new(cuckooRival) }, 512 << 20, false},
	{func() rival { return new(mapRival) }, 64 << 20, false},
}

// takesPart reports whether a class is measured beside filters of a size. A
// quick run leaves out what takes longest: large maps. Small filters are built
// by one CPU however many there are.
func (b *bench) takesPart(c class, bytes int) bool {
	switch r := c.new().(type) {
	case *mapRival:
		if b.quick && bytes > 4<<20 {
			return false
		}
	case *linebloom:
		if r.parallel && bytes < parallelFrom {
			return false
		}
	}
	return bytes <= c.max
}
