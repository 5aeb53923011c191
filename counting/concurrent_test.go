package counting

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// Keys that are never removed are there at every moment, by every way to ask, while
// other goroutines add and remove keys of the same few blocks; and in the end the
// filter is that of those keys alone.
func TestReadersNeverMissAKeyThatStays(t *testing.T) {
	for _, c := range []struct {
		blocks uint64
		k      int
	}{{1, 6}, {3, 8}, {40, 12}} { // 40 blocks have two locks
		p := blocked.Params{Blocks: c.blocks, K: c.k, Seed: 1}
		f := newTest(t, p)
		stay := hashes(20*int(c.blocks), 1)
		f.AddHashes(stay)
		want := f.Clone()

		var writers, readers sync.WaitGroup
		var done atomic.Bool
		for w := range uint64(3) {
			writers.Go(func() { churn(t, f, 2+w, operations(120_000)) })
		}
		for range 2 {
			readers.Go(func() {
				for n := 0; !done.Load() || n < 10; n++ {
					if !hasAll(f, stay) {
						t.Errorf("%v: a key that was not removed is lost", p)
						return
					}
				}
			})
		}
		writers.Wait()
		done.Store(true)
		readers.Wait()
		if !f.Equal(want) || !f.Plain().Equal(want) || f.Len() != uint64(len(stay)) {
			t.Errorf("%v: what is left are not the keys that stayed, %d of them", p, f.Len())
		}
	}
}

func hashes(n int, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 77))
	hs := make([]uint64, n)
	for i := range hs {
		hs[i] = r.Uint64()
	}
	return hs
}

// hasAll asks in every way there is whether the keys are there.
func hasAll(f *Filter, hashes []uint64) bool {
	dst := make([]uint64, (len(hashes)+63)/64)
	for _, h := range hashes {
		if !f.HasHash(h) || blocked.HasHashEach(dst, []blocked.View{f.View(), f.View()}, h) != 2 {
			return false
		}
	}
	return f.HasHashes(dst, hashes) == len(hashes) && len(f.SelectHashes(nil, hashes)) == len(hashes)
}

// churn adds and removes keys of its own, and ends with none of them.
func churn(t *testing.T, f *Filter, seed uint64, n int) {
	own := hashes(30, seed)
	r := rand.New(rand.NewPCG(seed, 78))
	there := make([]bool, len(own))
	for range n {
		i := r.IntN(len(own))
		if i == 0 { // a batch of what is there, or of what is not
			add := !there[0]
			var batch []uint64
			for j, h := range own {
				if there[j] != add {
					batch = append(batch, h)
					there[j] = add
				}
			}
			if add {
				f.AddHashes(batch)
			} else if f.RemoveHashes(nil, batch) != len(batch) {
				t.Error("a batch of keys that are there was not removed")
				return
			}
			continue
		}
		switch {
		case there[i] && !f.HasHash(own[i]):
			t.Error("a key is lost to the goroutine that added it")
			return
		case !there[i]:
			f.AddHash(own[i])
		case !f.RemoveHash(own[i]):
			t.Error("a key that is there was not removed")
			return
		}
		there[i] = !there[i]
	}
	for i, h := range own {
		if there[i] && !f.RemoveHash(h) {
			t.Error("a key that is there was not removed")
		}
	}
}

// What reads the whole filter, beside adds and removes, gets one instant of it: bits
// and counters agree, and the keys that stay are there.
func TestSnapshotsBesideWriters(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 500, K: 9})
	stay := hashes(1000, 1)
	f.AddHashes(stay)
	other := f.NewLike()
	var wg sync.WaitGroup
	var done atomic.Bool
	for w := range uint64(2) {
		wg.Go(func() {
			for !done.Load() {
				churn(t, f, 2+w, 1000)
			}
		})
	}
	for range operations(200) {
		var buf bytes.Buffer
		if _, err := f.WriteTo(&buf); err != nil {
			t.Fatal(err)
		}
		var read Filter
		if err := read.UnmarshalBinary(buf.Bytes()); err != nil {
			t.Fatal(err)
		}
		clone := f.Clone()
		if err := other.Union(f); err != nil {
			t.Fatal(err)
		}
		dst := make([]uint64, 16)
		for what, v := range map[string]blocked.Viewer{"WriteTo": &read, "Clone": clone, "Plain": f.Plain(), "Union": other} {
			if v.View().HasHashes(dst, stay) != len(stay) {
				t.Errorf("%s: a key is lost", what)
			}
		}
		for what, n := range map[string]uint64{"WriteTo": read.Len(), "Clone": clone.Len(), "Len": f.Len()} {
			if n < 1000 || n > 1060 {
				t.Errorf("%s: %d keys, want 1000 and up to 60", what, n)
			}
		}
		if clone.Equal(f) && clone.Stuck() != 0 {
			t.Error("a counter stuck")
		}
		other.Clear()
	}
	done.Store(true)
	wg.Wait()
}

// Of all concurrent TestAndAdd with one key exactly one returns false, and each has to
// be taken back.
func TestTestAndAddTellsNewOnce(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 20_000, K: 16})
	const goroutines = 4
	n := operations(20_000)
	keys := hashes(n, 5)
	winners := make([]atomic.Uint32, n)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for i, h := range keys {
				if !f.TestAndAddHash(h) {
					winners[i].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for i := range winners {
		if won := winners[i].Load(); won != 1 {
			t.Fatalf("key %d was new %d times", i, won)
		}
	}
	for range goroutines {
		if removed := f.RemoveHashes(nil, keys); removed != n {
			t.Fatalf("%d of %d keys were removed", removed, n)
		}
	}
	if !f.Equal(f.NewLike()) || f.Len() != 0 {
		t.Errorf("%d keys are left", f.Len())
	}
}

// Of all concurrent removes of one key as many succeed as it was added: round by
// round, two goroutines remove the same few keys at the same time.
func TestRemovesOfOneKeyMeet(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 64, K: 7})
	keys := hashes(32, 6)
	for range operations(8_000) {
		f.AddHashes(keys)
		var removed atomic.Int64
		var waiting atomic.Int32
		waiting.Store(2)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				waiting.Add(-1)
				for spins := 0; waiting.Load() > 0 && spins < 100_000; spins++ {
				}
				removed.Add(int64(f.RemoveHashes(nil, keys)))
			})
		}
		wg.Wait()
		if n := removed.Load(); n != int64(len(keys)) || f.Len() != 0 || f.FillRatio() != 0 {
			t.Fatalf("%d of %d removes, %d keys are left", n, len(keys), f.Len())
		}
	}
}
