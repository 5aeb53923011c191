package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"sort"

	"github.com/linebloom/linebloom/blocked"
)

// Table is a mapped table. Reads counts how often its data was searched.
type Table struct {
	Reads int

	data, index []byte
	filter      blocked.View // lies in the mapping: not to be used after Close
	unmap       func() error
}

var errTable = errors.New("not a table")

// anything is the view that stands in for a damaged filter: every bit is set.
var anything, _ = blocked.ViewOf(bytes.Repeat([]byte{0xFF}, 64), blocked.Params{Blocks: 1, K: 1})

// Open maps a table. A damaged filter is no reason to refuse it: without one, the
// table answers more slowly and as rightly.
func Open(path string) (*Table, error) {
	data, unmap, err := load(path)
	if err != nil {
		return nil, err
	}
	t := &Table{unmap: unmap, filter: anything}
	if err := t.parse(data); err != nil {
		unmap()
		return nil, err
	}
	return t, nil
}

func (t *Table) parse(file []byte) error {
	le := binary.LittleEndian
	n := len(file) - footerBytes
	if n < 0 {
		return errTable
	}
	index, filter, records := le.Uint32(file[n:]), le.Uint32(file[n+4:]), le.Uint32(file[n+8:])
	if uint64(filter) > uint64(n) || uint64(index)+4*uint64(records) > uint64(filter) {
		return errTable
	}
	t.data, t.index = file[:index], file[index:][:4*records]
	// The blocks are checked once, here, since nothing else checks this file.
	block := file[filter:n]
	if blocked.CheckCompact(block) == nil {
		t.filter, _ = blocked.CompactView(block)
	}
	return nil
}

// Close unmaps the table, and the filter with it.
func (t *Table) Close() error { return t.unmap() }

// read searches the data: what a filter is there to avoid.
func (t *Table) read(key []byte) ([]byte, bool) {
	t.Reads++
	n := len(t.index) / 4
	i := sort.Search(n, func(i int) bool {
		k, _ := t.record(i)
		return bytes.Compare(k, key) >= 0
	})
	if i == n {
		return nil, false
	}
	k, v := t.record(i)
	return v, bytes.Equal(k, key)
}

// record returns the key and the value of a record. A real engine would check the
// data's checksums before it believes these lengths.
func (t *Table) record(i int) (key, value []byte) {
	le := binary.LittleEndian
	r := t.data[le.Uint32(t.index[4*i:]):]
	k, v := int(le.Uint16(r)), int(le.Uint16(r[2:]))
	return r[4:][:k], r[4+k:][:v]
}

// MultiGet returns the values of keys, or nil for those that are not there. The
// filter is asked in batches, then data is read for the keys that remain.
func (t *Table) MultiGet(keys [][]byte) [][]byte {
	values := make([][]byte, len(keys))
	var hashes [256]uint64
	var answers [len(hashes) / 64]uint64
	for at := 0; at < len(keys); at += len(hashes) {
		batch := hashes[:min(len(hashes), len(keys)-at)]
		for i := range batch {
			batch[i] = blocked.HashKey(0, keys[at+i])
		}
		t.filter.HasHashes(answers[:], batch)
		for w, word := range answers[:(len(batch)+63)/64] {
			for ; word != 0; word &= word - 1 {
				i := at + 64*w + bits.TrailingZeros64(word)
				if v, ok := t.read(keys[i]); ok {
					values[i] = v
				}
			}
		}
	}
	return values
}
