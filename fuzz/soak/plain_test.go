package main

import (
	"bytes"
	"encoding/json"

	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// capacity is the number of keys that a filter is made for. One that has got so many
// is begun anew.
const capacity = 20_000

// A plain is a blocked filter.
type plain struct {
	f    *blocked.AtomicFilter
	keys *set
}

func newPlain(w *world) *plain {
	f, err := blocked.NewAtomic(capacity, targetRate, blocked.WithSeed(7))
	w.must(err)
	return &plain{f, newSet()}
}

func (p *plain) members() *set { return p.keys }

func (p *plain) has(w *world, keys []uint64) []bool { return ask(w, p.f, keys) }

// A batcher is asked for keys one by one or as a batch.
type batcher interface {
	HasUint64(key uint64) bool
	HasUint64s(dst []uint64, keys []uint64) int
}

func ask(w *world, f batcher, keys []uint64) []bool {
	hits := make([]bool, len(keys))
	if w.r.IntN(2) == 0 {
		for i, k := range keys {
			hits[i] = f.HasUint64(k)
		}
		return hits
	}
	words := make([]uint64, (len(keys)+63)/64)
	f.HasUint64s(words, keys)
	for i := range hits {
		hits[i] = words[i/64]>>(i%64)&1 == 1
	}
	return hits
}

func (p *plain) step(w *world) string {
	if len(p.keys.keys) >= capacity {
		*p = *newPlain(w)
		return "begin anew"
	}
	if x := w.r.IntN(1000); x >= 40 {
		return p.add(w, x)
	}
	switch w.r.IntN(8) {
	case 0:
		data, err := p.f.MarshalBinary()
		w.must(err)
		p.f = new(blocked.AtomicFilter)
		w.must(p.f.UnmarshalBinary(data))
		return "marshal"
	case 1:
		data, err := json.Marshal(p.f)
		w.must(err)
		f := new(blocked.AtomicFilter)
		w.must(json.Unmarshal(data, f))
		p.f = f
		return "marshal as JSON"
	case 2:
		var buf bytes.Buffer
		_, err := p.f.WriteTo(&buf)
		w.must(err)
		f := new(blocked.AtomicFilter)
		_, err = f.ReadFrom(&buf)
		w.must(err)
		p.f = f
		return "write to a stream"
	case 3:
		path := w.path()
		w.must(filterfile.Save(path, p.f, nil))
		file, err := filterfile.Open(path, filterfile.Options{Verify: filterfile.Verify(w.r.IntN(3))})
		w.must(err)
		if !file.Equal(p.f) {
			w.t.Error("the file is not equal to the filter")
		}
		p.f = p.f.NewLike()
		w.must(p.f.Union(file))
		w.must(file.Close())
		return "save and map"
	case 4:
		v, err := blocked.CompactView(p.f.View().AppendCompact(nil))
		w.must(err)
		f := p.f.NewLike()
		w.must(f.Union(v))
		p.f = f
		return "to an SSTable's block"
	case 5:
		p.f = p.f.Clone()
		return "clone"
	case 6:
		other := w.subjects[w.r.IntN(2)].(*plain)
		if len(other.keys.keys)+len(p.keys.keys) > capacity {
			return "no union"
		}
		w.must(p.f.Union(other.f))
		p.keys.add(other.keys.keys...)
		return "union"
	default:
		if w.redis == nil {
			return "no server"
		}
		f, err := redis.Load(w.t.Context(), w.redis, "metamorphic", p.f, redis.Replace())
		w.must(err)
		saved, err := f.Save(w.t.Context())
		w.must(err)
		if !saved.Equal(p.f) {
			w.t.Error("what comes back from Redis is not equal")
		}
		p.f = p.f.NewLike()
		w.must(p.f.Union(saved))
		return "load to Redis and back"
	}
}

func (p *plain) add(w *world, way int) string {
	keys := w.fresh(40)
	defer p.keys.add(keys...)
	switch way % 4 {
	case 0:
		for _, k := range keys {
			p.f.AddUint64(k)
		}
		return "add"
	case 1:
		for _, k := range keys {
			p.f.TestAndAddUint64(k)
		}
		return "test and add"
	case 2:
		p.f.AddUint64s(keys)
		return "add a batch"
	default:
		hashes := make([]uint64, len(keys))
		for i, k := range keys {
			hashes[i] = blocked.HashUint64(p.f.Params().Seed, k)
		}
		p.f.AddHashes(hashes)
		return "add hashes"
	}
}
