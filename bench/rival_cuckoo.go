package main

import (
	"encoding/binary"
	"math/bits"

	cuckoo "github.com/seiflotfy/cuckoofilter"
)

// cuckooRival is seiflotfy/cuckoofilter, which also deletes: a byte per cell,
// a power of two of cells. At 10 bits per key of a power of two of bytes it is
// four fifths full.
type cuckooRival struct {
	filter *cuckoo.Filter
	bytes  int
	key    []byte // not on the stack: a hash behind an interface gets it
}

func (*cuckooRival) Name() string { return "cuckoofilter" }

func (r *cuckooRival) Make(_, bytes int) {
	r.bytes = 1 << bits.Len(uint(bytes-1))
	r.filter = cuckoo.NewFilter(uint(r.bytes))
	r.key = make([]byte, 8)
	adviseHeap(bytes)
}

func (r *cuckooRival) Add(hashes []uint64) {
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(r.key, h)
		r.filter.Insert(r.key)
	}
}

func (r *cuckooRival) Build(hashes []uint64, bytes int) {
	r.Make(len(hashes), bytes)
	r.Add(hashes)
}

func (r *cuckooRival) Has(hashes []uint64) int {
	hits := 0
	for _, h := range hashes {
		binary.LittleEndian.PutUint64(r.key, h)
		if r.filter.Lookup(r.key) {
			hits++
		}
	}
	return hits
}

func (r *cuckooRival) Bytes() int { return r.bytes }
