package main

import (
	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// A guarded operation is one that a kernel must make faster than package
// generic does the same work. Both sides return what they found.
type guarded struct {
	name       string
	demand     float64  // the time of generic over that of ours, at least
	by         []string // kernels of which it is demanded
	runOurs    func(keys []uint64) int
	runGeneric func(keys []uint64) int
}

// The kernels that demands were measured with. A demand is about a third of what
// the slowest of them shows, and well above the 1 of a kernel that is not used.
// NEON is not among them: what it gains was never measured, and a demand that
// nobody has seen met would fail for the wrong reason.
var (
	guardX86    = []string{asm.BITALG, asm.AVX512, asm.AVX2}
	guardAVX512 = guardX86[:2]
)

const (
	guardBytes = 256 << 10 // in the second-level cache, where kernels tell most
	guardK     = 6
	guardViews = 16
	guardBatch = 1024 // keys that are hashed at a time, as in package blocked
)

// guardedOps returns the operations, on filters of their own.
func guardedOps() ([]guarded, error) {
	tests, err := guardedTests()
	if err != nil {
		return nil, err
	}
	adds, err := guardedAdds()
	if err != nil {
		return nil, err
	}
	each, err := guardedEach()
	if err != nil {
		return nil, err
	}
	return append(append(tests, adds...), each, guardedHash()), nil
}

// guardFilter returns a filter of the hashes from first on, full, and the same
// memory as a table.
func guardFilter(first uint64, bytes int) (*blocked.Filter, generic.Table, error) {
	f, err := blocked.NewFromParams(blocked.Params{Blocks: uint64(bytes) / generic.BlockBytes, K: guardK})
	if err != nil {
		return nil, generic.Table{}, err
	}
	f.AddHashes(hashesFrom(first, keysFor(bytes)))
	return f, generic.NewTable(f.Blocks(), guardK), nil
}

// guardedTests returns the operations that test the keys of one filter.
func guardedTests() ([]guarded, error) {
	f, table, err := guardFilter(0, guardBytes)
	if err != nil {
		return nil, err
	}
	answers := make([]uint64, guardPart/64)
	return []guarded{{
		name: "Filter.HasHashes", demand: 4, by: guardX86,
		runOurs: func(keys []uint64) int { return f.HasHashes(answers, keys) },
		runGeneric: func(keys []uint64) int {
			generic.HasHashes(answers, table, keys)
			return countOnes(answers[:generic.Words(len(keys))])
		},
	}, {
		name: "Filter.HasHash", demand: 1.5, by: guardX86,
		runOurs: func(keys []uint64) int {
			hits := 0
			for _, h := range keys {
				if f.HasHash(h) {
					hits++
				}
			}
			return hits
		},
		runGeneric: func(keys []uint64) int {
			hits := 0
			for _, h := range keys {
				if generic.Has(table, h) {
					hits++
				}
			}
			return hits
		},
	}, {
		name: "Filter.HasUint64s", demand: 2.5, by: guardX86,
		runOurs: func(keys []uint64) int { return f.HasUint64s(answers, keys) },
		runGeneric: func(keys []uint64) int {
			var buf [guardBatch]uint64
			for at := 0; at < len(keys); at += guardBatch {
				batch := keys[at:min(at+guardBatch, len(keys))]
				generic.HashUint64s(buf[:], table.Seed(), batch)
				generic.HasHashes(answers[at/64:], table, buf[:len(batch)])
			}
			return countOnes(answers[:generic.Words(len(keys))])
		},
	}}, nil
}

// guardedAdds returns the operations that add, each to a filter of its own. The
// keys are there from the second round on, which matters to shared tables only.
func guardedAdds() ([]guarded, error) {
	p := blocked.Params{Blocks: guardBytes / generic.BlockBytes, K: guardK}
	f, err := blocked.NewFromParams(p)
	if err != nil {
		return nil, err
	}
	shared, err := blocked.NewAtomicFromParams(p)
	if err != nil {
		return nil, err
	}
	table := generic.NewTable(make([]byte, guardBytes), guardK)
	sharedTable := generic.NewShared(make([]uint64, guardBytes/8), guardK)
	return []guarded{{
		name: "Filter.AddHashes", demand: 2.7, by: guardX86,
		runOurs:    func(keys []uint64) int { f.AddHashes(keys); return 0 },
		runGeneric: func(keys []uint64) int { generic.AddHashes(table, keys); return 0 },
	}, {
		name: "AtomicFilter.AddHashes, known keys", demand: 7, by: guardX86,
		runOurs:    func(keys []uint64) int { shared.AddHashes(keys); return 0 },
		runGeneric: func(keys []uint64) int { generic.AddHashes(sharedTable, keys); return 0 },
	}}, nil
}

// guardedEach returns the operation that asks many filters, which together have
// the size of the others, about so many fewer keys.
func guardedEach() (guarded, error) {
	var views []blocked.View
	var tables []generic.Table
	for i := range guardViews {
		// Equal filters would give equal answers, which CPUs learn to predict.
		const bytes = guardBytes / guardViews
		f, table, err := guardFilter(uint64(i*keysFor(bytes)), bytes)
		if err != nil {
			return guarded{}, err
		}
		views, tables = append(views, f.View()), append(tables, table)
	}
	var answers [1]uint64
	return guarded{
		name: "HasHashEach, 16 views", demand: 2.5, by: guardX86,
		runOurs: func(keys []uint64) int {
			hits := 0
			for _, h := range keys[:len(keys)/guardViews] {
				hits += blocked.HasHashEach(answers[:], views, h)
			}
			return hits
		},
		runGeneric: func(keys []uint64) int {
			hits := 0
			for _, h := range keys[:len(keys)/guardViews] {
				generic.HasEach(answers[:], tables, h)
				hits += countOnes(answers[:])
			}
			return hits
		},
	}, nil
}

// guardedHash is about the hash alone: it is so small a part of HasUint64s that
// nobody would miss its kernel there, and package blocked has no operation that
// only hashes. It hashes the same keys again and again: to fetch others from
// memory would cost more than the hash. AVX2 has to put each product together out
// of three and gains too little to be demanded.
func guardedHash() guarded {
	hashing := func(hash func(dst []uint64, seed uint64, keys []uint64)) func([]uint64) int {
		return func(keys []uint64) int {
			var buf [guardBatch]uint64
			var sum uint64
			batch := keys[:min(guardBatch, len(keys))]
			for range len(keys) / guardBatch {
				hash(buf[:], 0, batch)
				sum += buf[0]
			}
			return int(sum >> 2)
		}
	}
	return guarded{
		name: "asm.HashUint64s", demand: 1.5, by: guardAVX512,
		runOurs:    hashing(asm.HashUint64s),
		runGeneric: hashing(generic.HashUint64s),
	}
}
