package main

import (
	"encoding/binary"

	"github.com/linebloom/linebloom/blocked"
)

// A table is
//
//	records    each: length of key, length of value (uint16), key, value
//	index      for each record its offset, uint32
//	padding    to a multiple of 64 bytes, so that blocks are cache lines
//	filter     in compact form: it knows its own parameters
//	footer     offsets of index and filter, number of records: uint32
const footerBytes = 12

// Writer makes a table in memory.
type Writer struct {
	data    []byte
	offsets []uint32
	filter  *blocked.Builder
}

// NewWriter returns a writer that sizes its filter as the builder says. The
// builder can serve the next table when this one is finished.
func NewWriter(filter *blocked.Builder) *Writer { return &Writer{filter: filter} }

// Add adds a record. Keys come in ascending order.
func (w *Writer) Add(key, value []byte) {
	le := binary.LittleEndian
	w.filter.Add(key) // 8 bytes are kept of it, its hash
	w.offsets = append(w.offsets, uint32(len(w.data)))
	w.data = le.AppendUint16(w.data, uint16(len(key)))
	w.data = le.AppendUint16(w.data, uint16(len(value)))
	w.data = append(append(w.data, key...), value...)
}

// Finish returns the bytes of the table.
func (w *Writer) Finish() ([]byte, error) {
	le := binary.LittleEndian
	index := uint32(len(w.data))
	for _, at := range w.offsets {
		w.data = le.AppendUint32(w.data, at)
	}
	for len(w.data)%64 != 0 {
		w.data = append(w.data, 0)
	}
	filter := uint32(len(w.data))
	data, err := w.filter.AppendCompact(w.data) // only now is the number of keys known
	if err != nil {
		return nil, err
	}
	data = le.AppendUint32(data, index)
	data = le.AppendUint32(data, filter)
	return le.AppendUint32(data, uint32(len(w.offsets))), nil
}
