package main

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/greatroar/blobloom"
	"github.com/linebloom/linebloom/blocked"
	"github.com/zeebo/xxh3"
)

// Rows n and o ask the filters of many tables, as the reader of a storage engine
// does: they lie in memory as they were read from the tables, and each look-up is
// of another table.

const (
	tableCount = 1000
	tableBatch = 64 // keys of a multi-get that one table is asked for
	tableEach  = 16 // tables that one key is looked for in
)

// tables are the filters of many tables of equal size, by each of the rivals.
type tables struct {
	keys   int            // of each table
	bytes  int            // of linebloom's filters together, about
	ours   [][]byte       // compact filters
	views  []blocked.View // of them, as a reader of tables keeps them
	pebble [][]byte
	blob   []*blobloom.Filter
	policy bloom.FilterPolicy
}

// tableKey is the i-th of a sequence of keys of 16 bytes, which differ in both
// halves.
func tableKey(dst []byte, i uint64) {
	binary.LittleEndian.PutUint64(dst, hashAt(i))
	binary.LittleEndian.PutUint64(dst[8:], hashAt(i+absent/2))
}

// newTables builds the filters, which takes half a minute for 512 MiB. Table t
// has the keys from t*keys on.
func newTables(bytes int) (*tables, error) {
	s := &tables{keys: keysFor(bytes / tableCount), bytes: bytes, policy: bitsPerKey}
	builder, err := blocked.NewBuilderForBits(bitsPerKey)
	if err != nil {
		return nil, err
	}
	size := s.keys * bitsPerKey / 8
	k := blobloomHashes(s.keys, size)
	for range tableCount {
		s.ours = append(s.ours, make([]byte, 0, size+2*64))
		s.pebble = append(s.pebble, make([]byte, 0, size+3*64))
		s.blob = append(s.blob, blobloom.New(uint64(size)*8, k))
	}
	adviseHeap(bytes) // for all three: they lie in the memory of the engine
	var key [16]byte
	for t := range s.ours {
		w := s.policy.NewWriter(tableFilter)
		for i := range s.keys {
			tableKey(key[:], uint64(t*s.keys+i))
			h := blocked.HashKey(0, key[:])
			builder.AddHash(h)
			s.blob[t].Add(h)
			w.AddKey(key[:])
		}
		if s.ours[t], err = builder.AppendCompact(s.ours[t]); err != nil {
			return nil, err
		}
		s.pebble[t] = w.Finish(s.pebble[t])
		v, err := blocked.CompactView(s.ours[t])
		if err != nil {
			return nil, err
		}
		s.views = append(s.views, v)
	}
	return s, nil
}

// tableQuery is a stream of keys, and the tables to ask for them.
type tableQuery struct {
	keys  [][]byte
	table []int // of keys[i]
	held  int
}

// queries asks for each run of keys a table at random. Of a stream of hits all
// are in the table that is asked.
func (s *tables) queries(stream string, run int) tableQuery {
	q := tableQuery{keys: make([][]byte, queryKeys), table: make([]int, queryKeys)}
	all := make([]byte, 16*queryKeys)
	for i := range q.keys {
		q.table[i] = int(hashAt(uint64(i/run)+3*absent) % tableCount)
		q.keys[i] = all[16*i:][:16:16]
		if stream == hit {
			tableKey(q.keys[i], uint64(q.table[i]*s.keys)+hashAt(uint64(i)+2*absent)%uint64(s.keys))
			q.held++
			continue
		}
		tableKey(q.keys[i], absent+uint64(i))
	}
	return q
}

// tablesFor returns the filters, or nil if they were not asked for: at the largest
// of the sizes up to 512 MiB together.
func (b *bench) tablesFor(r *result, whats []string, required float64) (*tables, error) {
	bytes := 0
	for _, size := range b.sizes {
		if size >= 64<<20 && size <= 512<<20 {
			bytes = size
		}
	}
	if bytes == 0 {
		for _, what := range whats {
			r.skip(what, required, false, "filters of 64 MiB to 512 MiB together were not asked for")
		}
		return nil, nil
	}
	b.stock = stock{}
	fmt.Fprintf(b.out, "%d tables, %s of filters together, keys of 16 bytes\n", tableCount, sizeName(bytes))
	if b.tables == nil {
		var err error
		if b.tables, err = newTables(bytes); err != nil {
			return nil, err
		}
	}
	return b.tables, nil
}

// rowN looks up one key at a time: with nothing but the bytes of the filter, as
// Pebble calls a policy, and with what a reader of tables keeps, as blobloom has it.
func rowN(b *bench, r *result) error {
	const required = 2
	const whatPebble, whatBlob = "pebble / CompactView and Has, 1,000 tables", "blobloom / Has of a View, 1,000 tables"
	s, err := b.tablesFor(r, []string{whatPebble, whatBlob}, required)
	if s == nil {
		return err
	}
	for _, stream := range []string{miss, hit} {
		q := s.queries(stream, 1)
		all, err := b.compare(r, "one key, one table, "+stream, b.rounds, s.about(stream),
			contender{name: "linebloom CompactView, Has", keys: len(q.keys), atLeast: q.held, pass: func() int {
				hits := 0
				for i, key := range q.keys {
					v, err := blocked.CompactView(s.ours[q.table[i]])
					if err != nil || v.Has(key) {
						hits++
					}
				}
				return hits
			}},
			s.askPebble(q),
			contender{name: "linebloom Has", keys: len(q.keys), atLeast: q.held, pass: func() int {
				hits := 0
				for i, key := range q.keys {
					if s.views[q.table[i]].Has(key) {
						hits++
					}
				}
				return hits
			}},
			s.askBlobloom(q))
		if err != nil {
			return err
		}
		if stream == miss {
			r.judge(whatPebble, ratio(all[1], all[0]), required, false)
			r.judge(whatBlob, ratio(all[3], all[2]), required, false)
		}
	}
	return nil
}

// rowO looks up many keys in one table, and one key in many tables.
func rowO(b *bench, r *result) error {
	const required = 3
	const manyPebble, manyBlob = "pebble / HasKeys, 64 keys of a table", "blobloom / HasKeys, 64 keys of a table"
	const eachPebble, eachBlob = "pebble / HasHashEach, 16 of 1,000 tables", "blobloom / HasHashEach, 16 of 1,000 tables"
	s, err := b.tablesFor(r, []string{manyPebble, manyBlob, eachPebble, eachBlob}, required)
	if s == nil {
		return err
	}
	for _, stream := range []string{miss, hit} {
		q := s.queries(stream, tableBatch)
		var answers [tableBatch / 64]uint64
		all, err := b.compare(r, "64 keys, one table, "+stream, b.rounds, s.about(stream),
			contender{name: "linebloom HasKeys", keys: len(q.keys), atLeast: q.held, pass: func() int {
				hits := 0
				for i := 0; i < len(q.keys); i += tableBatch {
					hits += s.views[q.table[i]].HasKeys(answers[:], q.keys[i:i+tableBatch])
				}
				return hits
			}},
			s.askPebble(q), s.askBlobloom(q))
		if err != nil {
			return err
		}
		if stream == miss {
			r.judge(manyPebble, ratio(all[1], all[0]), required, false)
			r.judge(manyBlob, ratio(all[2], all[0]), required, false)
		}
	}
	// Here a pass asks for each key once, and for 16 tables. Times are per table.
	q := s.queries(miss, 1)
	for i := range q.keys { // the same key for 16 tables
		q.keys[i] = q.keys[i&^(tableEach-1)]
	}
	views := make([]blocked.View, tableEach)
	var answers [1]uint64
	all, err := b.compare(r, "one key, 16 tables, miss", b.rounds, s.about(miss),
		contender{name: "linebloom HasHashEach", keys: len(q.keys), pass: func() int {
			hits := 0
			for i := 0; i < len(q.keys); i += tableEach {
				for j := range views {
					views[j] = s.views[q.table[i+j]]
				}
				hits += blocked.HasHashEach(answers[:], views, blocked.HashKey(0, q.keys[i]))
			}
			return hits
		}},
		s.askPebble(q), s.askBlobloomOnce(q))
	if err != nil {
		return err
	}
	r.judge(eachPebble, ratio(all[1], all[0]), required, false)
	r.judge(eachBlob, ratio(all[2], all[0]), required, false)
	return nil
}

func (s *tables) about(stream string) measurement {
	return measurement{Bytes: s.bytes, Keys: s.keys * tableCount, BitsPerKey: bitsPerKey, Stream: stream}
}

func (s *tables) askPebble(q tableQuery) contender {
	return contender{name: "pebble MayContain", keys: len(q.keys), atLeast: q.held, pass: func() int {
		hits := 0
		for i, key := range q.keys {
			if s.policy.MayContain(tableFilter, s.pebble[q.table[i]], key) {
				hits++
			}
		}
		return hits
	}}
}

func (s *tables) askBlobloom(q tableQuery) contender {
	return contender{name: "blobloom Has, with XXH3", keys: len(q.keys), atLeast: q.held, pass: func() int {
		hits := 0
		for i, key := range q.keys {
			if s.blob[q.table[i]].Has(xxh3.Hash(key)) {
				hits++
			}
		}
		return hits
	}}
}

// askBlobloomOnce hashes a key once for all of its tables.
func (s *tables) askBlobloomOnce(q tableQuery) contender {
	return contender{name: "blobloom Has, with XXH3", keys: len(q.keys), pass: func() int {
		hits := 0
		for i := 0; i < len(q.keys); i += tableEach {
			h := xxh3.Hash(q.keys[i])
			for _, t := range q.table[i : i+tableEach] {
				if s.blob[t].Has(h) {
					hits++
				}
			}
		}
		return hits
	}}
}
