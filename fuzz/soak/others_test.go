package main

import (
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/counting"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/scalable"
	"github.com/linebloom/linebloom/window"
)

// A counter is a counting filter, of whose keys each was added once.
type counter struct {
	f    *counting.Filter
	keys *set
}

func newCounting(w *world) *counter {
	f, err := counting.New(capacity, targetRate)
	w.must(err)
	return &counter{f, newSet()}
}

func (c *counter) members() *set { return c.keys }

func (c *counter) has(w *world, keys []uint64) []bool { return ask(w, c.f, keys) }

func (c *counter) step(w *world) string {
	x := w.r.IntN(1000)
	switch {
	case x < 3:
		data, err := c.f.MarshalBinary()
		w.must(err)
		c.f = new(counting.Filter)
		w.must(c.f.UnmarshalBinary(data))
		return "marshal"
	case x < 6:
		path := w.path()
		w.must(c.f.Save(path, nil))
		f, err := counting.Open(path)
		w.must(err)
		c.f = f
		return "save and open"
	case x < 9:
		f, err := blocked.NewFromParams(c.f.Params())
		w.must(err)
		f.AddUint64s(c.keys.keys)
		if c.f.Stuck() == 0 && !f.Equal(c.f.Plain()) {
			w.t.Error("Plain is not the filter of the keys that are left")
		}
		return "plain"
	case x < 450 && len(c.keys.keys) > 0 || len(c.keys.keys) >= capacity:
		for _, k := range c.keys.some(w.r, 20) {
			if _, there := c.keys.where[k]; !there {
				continue // twice in the sample
			}
			if !c.f.RemoveUint64(k) {
				w.t.Errorf("key %#x cannot be removed", k)
			}
			c.keys.remove(k)
		}
		return "remove"
	}
	for _, k := range w.fresh(40) {
		if _, there := c.keys.where[k]; !there {
			c.f.AddUint64(k)
			c.keys.add(k)
		}
	}
	return "add"
}

// A chain is a filter that grows.
type chain struct {
	f    *scalable.Filter
	keys *set
}

func newChain(w *world) *chain {
	f, err := scalable.New(100, targetRate)
	w.must(err)
	return &chain{f, newSet()}
}

func (c *chain) members() *set { return c.keys }

func (c *chain) has(w *world, keys []uint64) []bool { return ask(w, c.f, keys) }

func (c *chain) step(w *world) string {
	switch x := w.r.IntN(1000); {
	case x < 3:
		data, err := c.f.MarshalBinary()
		w.must(err)
		c.f = new(scalable.Filter)
		w.must(c.f.UnmarshalBinary(data))
		return "marshal"
	case x < 6:
		path := w.path()
		w.must(c.f.Save(path, nil))
		f, err := scalable.Open(path)
		w.must(err)
		c.f = f
		return "save and open"
	case x < 8:
		*c = *newChain(w)
		return "begin anew"
	case x < 500:
		keys := w.fresh(40)
		w.must(c.f.AddUint64s(keys))
		c.keys.add(keys...)
		return "add a batch"
	}
	for _, k := range w.fresh(10) {
		seen, err := c.f.TestAndAddUint64(k)
		w.must(err)
		if _, there := c.keys.where[k]; there && !seen {
			w.t.Errorf("key %#x is reported new twice", k)
		}
		c.keys.add(k)
	}
	return "test and add"
}

// A sliding is a window of a minute, of a clock that stands but for its steps.
type sliding struct {
	f    *window.Sliding
	keys *set
	last map[uint64]time.Time
}

func newSliding(w *world) *sliding {
	f, err := window.NewSliding(window.Config{
		Capacity: capacity, FPRate: targetRate, Duration: time.Minute, Generations: 3,
		Clock: func() time.Time { return w.now },
	})
	w.must(err)
	return &sliding{f, newSet(), map[uint64]time.Time{}}
}

func (s *sliding) members() *set { return s.keys }

func (s *sliding) has(w *world, keys []uint64) []bool { return ask(w, s.f, keys) }

func (s *sliding) step(w *world) string {
	if w.r.IntN(50) == 0 || len(s.keys.keys) >= capacity {
		w.now = w.now.Add(time.Duration(w.r.Int64N(int64(40 * time.Second))))
		for _, k := range append([]uint64(nil), s.keys.keys...) {
			if w.now.Sub(s.last[k]) > time.Minute { // it may be forgotten
				s.keys.remove(k)
				delete(s.last, k)
			}
		}
		return "time goes on"
	}
	keys := w.fresh(20)
	keys = append(keys, s.keys.some(w.r, 3)...)
	for _, k := range keys {
		_, there := s.keys.where[k]
		if seen := s.f.SeenUint64(k); there && !seen {
			w.t.Errorf("key %#x was forgotten within its window", k)
		}
		s.keys.add(k)
		s.last[k] = w.now
	}
	return "seen"
}

// A file is a shared file.
type file struct {
	path string
	f    *filterfile.Shared
	keys *set
}

func newShared(w *world) *file {
	path := w.path()
	f, err := filterfile.Create(path, capacity, targetRate)
	w.must(err)
	w.t.Cleanup(func() { f.Close() })
	return &file{path, f, newSet()}
}

func (s *file) members() *set { return s.keys }

func (s *file) has(w *world, keys []uint64) []bool {
	hits := make([]bool, len(keys))
	words := make([]uint64, (len(keys)+63)/64)
	s.f.HasUint64s(words, keys)
	for i := range hits {
		hits[i] = words[i/64]>>(i%64)&1 == 1
	}
	return hits
}

func (s *file) step(w *world) string {
	switch x := w.r.IntN(1000); {
	case len(s.keys.keys) >= capacity:
		w.must(s.f.Close())
		*s = *newShared(w)
		return "begin anew"
	case x < 3:
		w.must(s.f.Sync())
		return "sync"
	case x < 8:
		n, err := s.f.Len()
		w.must(err)
		w.must(s.f.Close())
		s.f, err = filterfile.OpenShared(s.path)
		w.must(err)
		w.t.Cleanup(func() { s.f.Close() })
		if again, _ := s.f.Len(); again != n {
			w.t.Errorf("%d keys after closing and opening, want %d", again, n)
		}
		return "close and open"
	}
	for _, k := range w.fresh(40) {
		if seen := s.f.TestAndAddUint64(k); !seen {
			if _, there := s.keys.where[k]; there {
				w.t.Errorf("key %#x is reported new twice", k)
			}
		}
		s.keys.add(k)
	}
	return "test and add"
}
