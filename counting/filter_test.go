package counting

import (
	"errors"
	"math"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

var _ blocked.Viewer = (*Filter)(nil)

func TestBadParameters(t *testing.T) {
	for _, c := range []struct {
		capacity uint64
		rate     float64
		opts     []blocked.Option
		want     error
	}{
		{0, 0.01, nil, blocked.ErrInvalid},
		{10, 0, nil, blocked.ErrInvalid},
		{10, 1, nil, blocked.ErrInvalid},
		{10, math.NaN(), nil, blocked.ErrInvalid},
		{10, math.Inf(1), nil, blocked.ErrInvalid},
		{10, -0.5, nil, blocked.ErrInvalid},
		{10, 0.01, []blocked.Option{blocked.WithK(17)}, blocked.ErrInvalid},
		{10, 0.01, []blocked.Option{blocked.WithMaxBytes(63)}, blocked.ErrInvalid},
		{math.MaxUint64, 0.01, nil, blocked.ErrTooLarge},
		{1000, 0.01, []blocked.Option{blocked.WithMaxBytes(1024)}, blocked.ErrTooLarge},
	} {
		if f, err := New(c.capacity, c.rate, c.opts...); f != nil || !errors.Is(err, c.want) {
			t.Errorf("New(%d, %g): %v, want %v", c.capacity, c.rate, err, c.want)
		}
	}
	for _, p := range []blocked.Params{{}, {Blocks: 1}, {K: 6}, {Blocks: 1, K: 17}, {Blocks: 1, K: -1}, {Blocks: 1<<32 + 1, K: 6}, {Blocks: math.MaxUint64, K: 6}} {
		if f, err := NewFromParams(p); f != nil || !errors.Is(err, blocked.ErrInvalid) {
			t.Errorf("NewFromParams(%v): %v, want ErrInvalid", p, err)
		}
	}
	if math.MaxInt == math.MaxInt32 {
		if _, err := NewFromParams(blocked.Params{Blocks: 1 << 23, K: 6}); !errors.Is(err, blocked.ErrTooLarge) {
			t.Errorf("2.5 GiB on a CPU of 32 bits: %v, want ErrTooLarge", err)
		}
	}
}

// WithMaxBytes counts the counters too.
func TestMaxBytesBoundsBitsAndCounters(t *testing.T) {
	p, err := blocked.ParamsFor(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(1000, 0.01, blocked.WithMaxBytes(5*p.Bytes()))
	if err != nil || f.Params() != p || f.Capacity() != 1000 || f.TargetFPRate() != 0.01 {
		t.Fatalf("%v, or other parameters", err)
	}
	if uint64(len(f.body)) != 5*p.Bytes() {
		t.Errorf("%d bytes, want %d", len(f.body), 5*p.Bytes())
	}
	if _, err := New(1000, 0.01, blocked.WithMaxBytes(5*p.Bytes()-1)); !errors.Is(err, blocked.ErrTooLarge) {
		t.Errorf("a byte too few: %v, want ErrTooLarge", err)
	}
}

// All ways to name a key are one, for each of the operations.
func TestKindsOfKeys(t *testing.T) {
	f, err := New(1000, 1e-6, blocked.WithSeed(11))
	if err != nil {
		t.Fatal(err)
	}
	number := "\x2a\x00\x00\x00\x00\x00\x00\x00"
	hash := blocked.HashString(11, number)
	adds := map[string]func(){
		"Add":               func() { f.Add([]byte(number)) },
		"AddString":         func() { f.AddString(number) },
		"AddUint64":         func() { f.AddUint64(42) },
		"AddHash":           func() { f.AddHash(hash) },
		"TestAndAdd":        func() { f.TestAndAdd([]byte(number)) },
		"TestAndAddString":  func() { f.TestAndAddString(number) },
		"TestAndAddUint64":  func() { f.TestAndAddUint64(42) },
		"AddKeys":           func() { f.AddKeys([][]byte{[]byte(number)}) },
		"AddStrings":        func() { f.AddStrings([]string{number}) },
		"AddUint64s":        func() { f.AddUint64s([]uint64{42}) },
		"AddHashes":         func() { f.AddHashes([]uint64{hash}) },
		"Union of a Filter": func() { g := f.NewLike(); g.AddUint64(42); f.Union(g) },
	}
	removes := map[string]func() bool{
		"Remove":        func() bool { return f.Remove([]byte(number)) },
		"RemoveString":  func() bool { return f.RemoveString(number) },
		"RemoveUint64":  func() bool { return f.RemoveUint64(42) },
		"RemoveHash":    func() bool { return f.RemoveHash(hash) },
		"RemoveKeys":    func() bool { return f.RemoveKeys(nil, [][]byte{[]byte(number)}) == 1 },
		"RemoveStrings": func() bool { return f.RemoveStrings(nil, []string{number}) == 1 },
		"RemoveUint64s": func() bool { return f.RemoveUint64s(nil, []uint64{42}) == 1 },
		"RemoveHashes":  func() bool { return f.RemoveHashes(nil, []uint64{hash}) == 1 },
	}
	for a, add := range adds {
		for r, remove := range removes {
			add()
			if !f.Has([]byte(number)) || !f.HasString(number) || !f.HasUint64(42) || f.Len() != 1 {
				t.Fatalf("%s: the key is not there", a)
			}
			if !remove() || f.HasUint64(42) || f.Len() != 0 || remove() || f.Len() != 0 {
				t.Fatalf("%s, then %s: not removed once", a, r)
			}
		}
	}
}

func TestAnswersOfBatches(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 100, K: 14})
	keys := hashes(130, 3)
	for i, h := range keys {
		if i%3 == 0 {
			f.AddHash(h)
		}
	}
	dst := []uint64{^uint64(0), ^uint64(0), ^uint64(0), 7}
	if n := f.RemoveHashes(dst, keys); n != 44 || dst[3] != 7 {
		t.Errorf("%d removed, want 44", n)
	}
	for i := range 192 {
		if got, want := dst[i/64]>>(i%64)&1 == 1, i%3 == 0 && i < 130; got != want {
			t.Errorf("answer %d is %v, want %v", i, got, want)
		}
	}
	f.AddHashes(keys)
	func() {
		defer func() {
			if recover() == nil || f.Len() != 130 {
				t.Errorf("no panic for too few words, or %d keys were removed before it", 130-f.Len())
			}
		}()
		f.RemoveHashes(make([]uint64, 2), keys)
	}()
}

// A key whose rounds meet in a bit counts there once, when it comes and when it goes.
func TestRoundsThatMeetCountOnce(t *testing.T) {
	for k := generic.Lanes + 1; k <= generic.MaxK; k++ {
		p := blocked.Params{Blocks: 1, K: k}
		met := 0
		for _, h := range hashes(2000, uint64(k)) {
			bits := len(newModel(p).bitsOf(h))
			if bits == k {
				continue
			}
			met++
			f, m := newTest(t, p), newModel(p)
			for range 3 {
				f.AddHash(h)
				m.add(h)
			}
			m.check(t, f)
			for range 3 {
				if !f.RemoveHash(h) {
					t.Fatalf("k = %d: %#x was not removed", k, h)
				}
				m.remove(0)
				m.check(t, f)
			}
		}
		if met == 0 {
			t.Errorf("k = %d: no key met itself", k)
		}
	}
}

// A counter is right up to 14 and stays at 15.
func TestCountersStickAtFifteen(t *testing.T) {
	for _, k := range []int{1, 6, 16} {
		f := newTest(t, blocked.Params{Blocks: 1, K: k})
		for range 14 {
			f.AddString("often")
		}
		for range 14 {
			if !f.RemoveString("often") {
				t.Fatal("not removed")
			}
		}
		if f.HasString("often") || f.Stuck() != 0 || !f.Equal(f.NewLike()) {
			t.Fatalf("k = %d: 14 adds and removes leave something", k)
		}
		for range 40 {
			f.AddString("often")
		}
		want := uint64(len(newModel(f.Params()).bitsOf(blocked.HashString(0, "often"))))
		if f.Stuck() != want || f.Len() != 40 {
			t.Fatalf("k = %d: %d counters stick, want %d, Len %d", k, f.Stuck(), want, f.Len())
		}
		for range 100 { // it is there for ever
			if !f.RemoveString("often") || !f.HasString("often") {
				t.Fatalf("k = %d: stuck counters went down", k)
			}
		}
		if f.Stuck() != want || f.Len() != 0 {
			t.Errorf("k = %d: %d stuck, Len %d, want %d and 0", k, f.Stuck(), f.Len(), want)
		}
		f.Clear()
		if f.Stuck() != 0 || f.HasString("often") || !f.Equal(f.NewLike()) {
			t.Errorf("k = %d: Clear leaves something", k)
		}
	}
}

// What the documentation says of how many counters stick: the bits of distinct random
// keys are Poisson distributed.
func TestFewCountersStick(t *testing.T) {
	const n = 10_000_000
	for rate := 0.1; rate >= blocked.MinFPRate; rate /= 2 {
		p, err := blocked.ParamsFor(n, rate)
		if err != nil {
			t.Fatal(err)
		}
		mean := float64(n) * float64(p.K) / float64(p.Blocks*generic.BlockBits)
		stick := 0.0
		for i := 15.0; i < 60; i++ {
			lg, _ := math.Lgamma(i + 1)
			stick += math.Exp(i*math.Log(mean) - mean - lg)
		}
		if mean > 0.7 || stick > 1e-15 {
			t.Errorf("rate %g: mean %g, %g of the counters stick", rate, mean, stick)
		}
	}
}

// Nothing that is done to single keys allocates, and batches neither.
func TestNothingAllocates(t *testing.T) {
	f := newTest(t, blocked.Params{Blocks: 1000, K: 9})
	keys, dst := hashes(1000, 1), make([]uint64, 16)
	key, text := []byte("key"), []string{"a", "b"}
	for what, do := range map[string]func(){
		"Add and Remove":             func() { f.Add(key); f.Remove(key) },
		"AddString and RemoveString": func() { f.AddString("x"); f.RemoveString("x") },
		"batches":                    func() { f.AddHashes(keys); f.RemoveHashes(dst, keys) },
		"batches of strings":         func() { f.AddStrings(text); f.RemoveStrings(dst, text) },
		"look-ups":                   func() { f.HasString("x"); f.HasHashes(dst, keys); f.Len(); f.Stuck() },
	} {
		if n := testing.AllocsPerRun(20, do); n != 0 {
			t.Errorf("%s: %g allocations", what, n)
		}
	}
}

// Goroutines seldom share a lock, and locks take little memory.
func TestStripes(t *testing.T) {
	for _, c := range []struct{ blocks, want uint64 }{
		{1, 1}, {31, 1}, {32, 2}, {63, 2}, {64, 4}, {16 << 10, 1024}, {16<<10 - 1, 512}, {1 << 32, 1024},
	} {
		if n := len(newStripes(c.blocks)); uint64(n) != c.want {
			t.Errorf("%d blocks have %d locks, want %d", c.blocks, n, c.want)
		}
	}
}
