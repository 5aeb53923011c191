package main

import "github.com/parquet-go/parquet-go/bloom"

// parquetRival is the split block filter of parquet-go: blocks of 256 bits with
// eight probes per key always, in assembly on amd64.
type parquetRival struct{ filter bloom.SplitBlockFilter }

func (*parquetRival) Name() string { return "parquet-go" }

func (r *parquetRival) Make(_, bytes int) {
	r.filter = make(bloom.SplitBlockFilter, bytes/bloom.BlockSize)
	adviseHeap(bytes)
}

func (r *parquetRival) Add(hashes []uint64) { r.filter.InsertBulk(hashes) }

func (r *parquetRival) Build(hashes []uint64, bytes int) {
	r.Make(len(hashes), bytes)
	r.Add(hashes)
}

func (r *parquetRival) Has(hashes []uint64) int {
	hits := 0
	for _, h := range hashes {
		if r.filter.Check(h) {
			hits++
		}
	}
	return hits
}

func (r *parquetRival) Bytes() int { return len(r.filter) * bloom.BlockSize }
