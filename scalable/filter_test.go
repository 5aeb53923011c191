package scalable

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// made returns a filter of n random hashes, and these.
func made(t testing.TB, first uint64, fpRate float64, n int, opts ...blocked.Option) (*Filter, []uint64) {
	t.Helper()
	f, err := New(first, fpRate, opts...)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(first, uint64(n)))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	if err := f.AddHashes(hashes); err != nil {
		t.Fatal(err)
	}
	return f, hashes
}

// Keys that were added by every method are found by every method, while the filter
// grows from one key on.
func TestNoFalseNegatives(t *testing.T) {
	f, err := New(1, 0.01, blocked.WithSeed(9))
	if err != nil {
		t.Fatal(err)
	}
	const n = 30_000
	r := rand.New(rand.NewPCG(1, 1))
	for x := uint64(0); x < n; {
		key := binary.LittleEndian.AppendUint64(nil, x)
		many := make([]uint64, 1+r.IntN(3)*r.IntN(1000))
		var bytes [][]byte
		var strings []string
		var hashes []uint64
		for i := range many {
			many[i] = x + uint64(i)
			b := binary.LittleEndian.AppendUint64(nil, many[i])
			bytes, strings = append(bytes, b), append(strings, string(b))
			hashes = append(hashes, blocked.HashUint64(9, many[i]))
		}
		step := 1
		switch r.IntN(12) {
		case 0:
			err = f.Add(key)
		case 1:
			err = f.AddString(string(key))
		case 2:
			err = f.AddUint64(x)
		case 3:
			err = f.AddHash(hashes[0])
		case 4:
			_, err = f.TestAndAdd(key)
		case 5:
			_, err = f.TestAndAddString(string(key))
		case 6:
			_, err = f.TestAndAddUint64(x)
		case 7:
			_, err = f.TestAndAddHash(hashes[0])
		case 8:
			step, err = len(many), f.AddKeys(bytes)
		case 9:
			step, err = len(many), f.AddStrings(strings)
		case 10:
			step, err = len(many), f.AddUint64s(many)
		case 11:
			step, err = len(many), f.AddHashes(hashes)
		}
		if err != nil {
			t.Fatal(err)
		}
		x += uint64(step)
		y := r.Uint64N(x)
		k := binary.LittleEndian.AppendUint64(nil, y)
		if !f.Has(k) || !f.HasString(string(k)) || !f.HasUint64(y) || !f.HasHash(blocked.HashUint64(9, y)) {
			t.Fatalf("key %d is lost among %d", y, x)
		}
	}
	if f.Links() < 5 || f.Len() < n*97/100 || f.Len() > n+4000 {
		t.Errorf("%d links, %d keys", f.Links(), f.Len())
	}
	for _, m := range []int{1, 63, 64, 65, 1000, 1024, 1025, n} {
		batch := make([]uint64, m)
		var bytes [][]byte
		var strings []string
		for i := range batch {
			batch[i] = uint64(i)
			b := binary.LittleEndian.AppendUint64(nil, uint64(i))
			bytes, strings = append(bytes, b), append(strings, string(b))
		}
		dst := make([]uint64, (m+63)/64)
		for what, hits := range map[string]int{
			"HasUint64s": f.HasUint64s(dst, batch), "HasKeys": f.HasKeys(dst, bytes), "HasStrings": f.HasStrings(dst, strings),
		} {
			if hits != m {
				t.Errorf("%s: %d of %d keys", what, hits, m)
			}
		}
	}
}

// Batches give the answers of one key after another, whatever part of the keys is
// there and in whatever link, and write nothing else.
func TestBatchesEqualSingleKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 10, 100, 1500, 20_000} {
		f, added := made(t, 10, 0.1, n)
		for _, m := range []int{0, 1, 5, 63, 64, 65, 127, 1000, 1023, 1024, 1025, 3000} {
			for _, part := range []float64{0, 0.01, 0.3, 0.95, 1} {
				hashes := make([]uint64, m)
				for i := range hashes {
					if hashes[i] = r.Uint64(); n > 0 && r.Float64() < part {
						hashes[i] = added[r.IntN(n)]
					}
				}
				const canary = 0xc0ffee
				dst := slices.Repeat([]uint64{canary}, generic.Words(m)+1)
				hits := f.HasHashes(dst, hashes)
				want := make([]uint64, generic.Words(m)+1)
				want[generic.Words(m)] = canary
				var chosen []uint32
				for i, h := range hashes {
					if f.HasHash(h) {
						want[i/64] |= 1 << (i % 64)
						chosen = append(chosen, uint32(i))
					}
				}
				if !slices.Equal(dst, want) || hits != len(chosen) {
					t.Fatalf("%d keys in the filter, %d asked, %g present: %d hits, want %d, or in other places", n, m, part, hits, len(chosen))
				}
				if got := f.SelectHashes([]uint32{7}, hashes); got[0] != 7 || !slices.Equal(got[1:], chosen) {
					t.Fatalf("%d keys in the filter, %d asked, %g present: SelectHashes differs", n, m, part)
				}
			}
		}
	}
}

// A key that is added again, alone or in a batch, takes no place.
func TestRepeatedKeysTakeNoPlace(t *testing.T) {
	f, err := New(1000, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]uint64, 3000)
	for i := range batch {
		batch[i] = uint64(i % 500)
	}
	strings := slices.Repeat([]string{"a", "b", "c"}, 700)
	for range 20 {
		if err := f.AddUint64s(batch); err != nil {
			t.Fatal(err)
		}
		if err := f.AddStrings(strings); err != nil {
			t.Fatal(err)
		}
		for x := range uint64(500) {
			if err := f.AddUint64(x); err != nil {
				t.Fatal(err)
			}
		}
	}
	if f.Len() != 503 || f.Links() != 1 || f.Capacity() != 1000 {
		t.Errorf("%d keys in %d links, want 503 in one", f.Len(), f.Links())
	}
}

func TestShortAnswersPanic(t *testing.T) {
	f, hashes := made(t, 10, 0.1, 100)
	for what, ask := range map[string]func(dst []uint64){
		"HasHashes":  func(dst []uint64) { f.HasHashes(dst, hashes) },
		"HasUint64s": func(dst []uint64) { f.HasUint64s(dst, hashes) },
		"HasKeys":    func(dst []uint64) { f.HasKeys(dst, make([][]byte, len(hashes))) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "linebloom: dst has 1 words, the answers for 100 keys need 2" {
					t.Errorf("%s: %s", what, got)
				}
			}()
			ask(make([]uint64, 1))
		}()
	}
}

func TestStatistics(t *testing.T) {
	f, _ := made(t, 100, 0.02, 0, blocked.WithSeed(77))
	if f.Links() != 1 || f.Len() != 0 || f.Capacity() != 100 || f.Seed() != 77 || f.TargetFPRate() != 0.02 || f.EstimateFPRate() != 0 {
		t.Errorf("empty: %d links, %d of %d keys, seed %d, rates %g and %g", f.Links(), f.Len(), f.Capacity(), f.Seed(), f.TargetFPRate(), f.EstimateFPRate())
	}
	for x := range uint64(5000) {
		if err := f.AddUint64(x); err != nil {
			t.Fatal(err)
		}
	}
	if f.Links() != 3 || f.Capacity() != 11_100 || f.Len() < 4900 || f.Len() > 5000 {
		t.Errorf("%d links, %d of %d keys", f.Links(), f.Len(), f.Capacity())
	}
	want := uint64(0)
	for i, n := range []uint64{100, 1000, 10_000} {
		p, err := blocked.ParamsFor(n, []float64{0.002, 0.0018, 0.00162}[i])
		if err != nil {
			t.Fatal(err)
		}
		want += p.Bytes()
	}
	if f.Bytes() != want {
		t.Errorf("%d bytes, want %d", f.Bytes(), want)
	}
}

// Nothing on a query path allocates, and adding does so only to grow.
func TestQueriesDoNotAllocate(t *testing.T) {
	f, hashes := made(t, 100, 0.01, 5000)
	dst, key := make([]uint64, 100), []byte("a key")
	chosen := make([]uint32, 0, len(hashes))
	bytes, strings := slices.Repeat([][]byte{key}, 2000), slices.Repeat([]string{"a key"}, 2000)
	for what, do := range map[string]func(){
		"Has":          func() { f.Has(key); f.HasString("a key"); f.HasUint64(1); f.HasHash(2) },
		"HasHashes":    func() { f.HasHashes(dst, hashes); f.HasHashes(dst, hashes[:50]) },
		"HasKeys":      func() { f.HasKeys(dst, bytes); f.HasKeys(dst, bytes[:50]) },
		"HasStrings":   func() { f.HasStrings(dst, strings) },
		"HasUint64s":   func() { f.HasUint64s(dst, hashes) },
		"SelectHashes": func() { f.SelectHashes(chosen, hashes) },
		"Add":          func() { f.Add(key); f.AddString("a key"); f.AddUint64(1); f.AddHash(2) },
		"AddHashes":    func() { f.AddHashes(hashes) },
		"AddKeys":      func() { f.AddKeys(bytes); f.AddKeys(bytes[:50]) },
		"TestAndAdd":   func() { f.TestAndAdd(key); f.TestAndAddString("a key") },
	} {
		if n := testing.AllocsPerRun(5, do); n != 0 {
			t.Errorf("%s allocates %g times", what, n)
		}
	}
}
