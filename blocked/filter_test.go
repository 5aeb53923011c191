package blocked

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/internal/golden"
)

// adder is what Filter and AtomicFilter have in common, so that one test holds
// both to the same answers.
type adder interface {
	Viewer
	Add([]byte)
	AddString(string)
	AddUint64(uint64)
	AddHash(uint64)
	TestAndAdd([]byte) bool
	TestAndAddString(string) bool
	TestAndAddUint64(uint64) bool
	TestAndAddHash(uint64) bool
	AddHashes([]uint64)
	AddKeys([][]byte)
	AddStrings([]string)
	AddUint64s([]uint64)
	Has([]byte) bool
	HasString(string) bool
	HasUint64(uint64) bool
	HasHash(uint64) bool
	Clear()
	Blocks() []byte
	Params() Params
}

// filters returns an empty filter of each type.
func filters(t testing.TB, p Params) map[string]adder {
	f, err := NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAtomicFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]adder{"Filter": f, "AtomicFilter": a}
}

func TestGoldenVectors(t *testing.T) {
	for _, v := range golden.Vectors {
		adds := map[string]func(adder){
			"AddHash": func(f adder) {
				for _, h := range v.Hashes() {
					f.AddHash(h)
				}
			},
			"AddHashes": func(f adder) { f.AddHashes(v.Hashes()) },
			"TestAndAddHash": func(f adder) {
				for _, h := range v.Hashes() {
					f.TestAndAddHash(h)
				}
			},
		}
		for how, add := range adds {
			for name, f := range filters(t, Params{Blocks: v.Blocks, K: v.K}) {
				add(f)
				sum := sha256.Sum256(f.Blocks())
				if got := hex.EncodeToString(sum[:]); got != v.SHA256 {
					t.Errorf("%s.%s, %d blocks, k = %d: SHA-256 %s, want %s", name, how, v.Blocks, v.K, got, v.SHA256)
				}
				ones := int(f.View().FillRatio()*float64(v.Blocks)*512 + 0.5)
				if ones != v.Ones {
					t.Errorf("%s.%s, %d blocks, k = %d: %d bits set, want %d", name, how, v.Blocks, v.K, ones, v.Ones)
				}
			}
		}
	}
	if g := golden.SplitMix64(0); g() != 0xe220a8397b1dcdaf {
		t.Error("the generator of the golden hashes is not SplitMix64")
	}
}

// The three kinds of keys mean the same bytes, and have XXH3-64's hashes.
func TestKindsOfKeysAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, seed := range []uint64{0, 1, 1 << 63, 0x0123456789abcdef} {
		for name, f := range filters(t, Params{Blocks: 100, K: 6, Seed: seed}) {
			for range 100 {
				x := r.Uint64()
				b := binary.LittleEndian.AppendUint64(nil, x)
				h := HashKey(seed, b)
				if HashUint64(seed, x) != h || HashString(seed, string(b)) != h {
					t.Fatalf("hashes of %#x differ", x)
				}
				[]func(){
					func() { f.Add(b) }, func() { f.AddString(string(b)) },
					func() { f.AddUint64(x) }, func() { f.AddHash(h) },
					func() { f.TestAndAdd(b) }, func() { f.TestAndAddString(string(b)) },
					func() { f.TestAndAddUint64(x) }, func() { f.TestAndAddHash(h) },
					func() { f.AddHashes([]uint64{h}) }, func() { f.AddKeys([][]byte{b}) },
					func() { f.AddStrings([]string{string(b)}) }, func() { f.AddUint64s([]uint64{x}) },
				}[r.IntN(12)]()
				if !f.Has(b) || !f.HasString(string(b)) || !f.HasUint64(x) || !f.HasHash(h) || !f.TestAndAdd(b) {
					t.Fatalf("%s: %#x was added, and is not there", name, x)
				}
			}
			f.Clear()
			if f.View().FillRatio() != 0 {
				t.Errorf("%s: bits are set after Clear", name)
			}
		}
	}
	// From the reference implementation, xxhsum -H3 of the empty input.
	if h := HashKey(0, nil); h != 0x2d06800538d394c2 {
		t.Errorf("the hash of the empty key is %#x", h)
	}
}

// Batches answer as one key at a time does, at every length around the words
// and the buffers, and write what they say and nothing else.
func TestBatchesEqualOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, k := range []int{1, 5, 8, 11, 16} {
		for name, f := range filters(t, Params{Blocks: 40, K: k, Seed: 9}) {
			for range 40 * 300 / k {
				f.AddUint64(r.Uint64N(40 * 600))
			}
			for _, n := range []int{0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 1023, 1024, 1025, 2047, 2048, 2049, 5000} {
				batch := newBatch(r, n)
				words := (n + 63) / 64
				for kind, has := range map[string]func([]uint64) int{
					"HasUint64s": func(dst []uint64) int { return f.View().HasUint64s(dst, batch.uint64s) },
					"HasKeys":    func(dst []uint64) int { return f.View().HasKeys(dst, batch.bytes) },
					"HasStrings": func(dst []uint64) int { return f.View().HasStrings(dst, batch.strings) },
					"HasHashes": func(dst []uint64) int {
						return f.View().HasHashes(dst, batch.hashes(9))
					},
				} {
					dst := make([]uint64, words+1)
					for i := range dst {
						dst[i] = 0xaaaaaaaaaaaaaaaa
					}
					hits := has(dst)
					want := 0
					for i, x := range batch.uint64s {
						answer := f.HasUint64(x)
						if got := dst[i/64]>>(i%64)&1 == 1; got != answer {
							t.Fatalf("%s.%s, k = %d, key %d of %d: %v, want %v", name, kind, k, i, n, got, answer)
						}
						if answer {
							want++
						}
					}
					if hits != want {
						t.Fatalf("%s.%s, k = %d, %d keys: %d hits, want %d", name, kind, k, n, hits, want)
					}
					if n%64 != 0 && dst[words-1]>>(n%64) != 0 {
						t.Fatalf("%s.%s, k = %d, %d keys: unused bits of the last word are set", name, kind, k, n)
					}
					if dst[words] != 0xaaaaaaaaaaaaaaaa {
						t.Fatalf("%s.%s, k = %d, %d keys: the word behind the answers was written", name, kind, k, n)
					}
				}
				sel := f.View().SelectHashes([]uint32{77}, batch.hashes(9))
				want := []uint32{77}
				for i, x := range batch.uint64s {
					if f.HasUint64(x) {
						want = append(want, uint32(i))
					}
				}
				if !slices.Equal(sel, want) {
					t.Fatalf("%s.SelectHashes, k = %d, %d keys: %v, want %v", name, k, n, sel, want)
				}
			}
		}
	}
}

func TestBatchAddsEqualOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 2500} {
		p := Params{Blocks: 77, K: 7, Seed: 5}
		batch := newBatch(r, n)
		for name, want := range filters(t, p) {
			for _, x := range batch.uint64s {
				want.AddUint64(x)
			}
			for kind, add := range map[string]func(adder){
				"AddUint64s": func(f adder) { f.AddUint64s(batch.uint64s) },
				"AddKeys":    func(f adder) { f.AddKeys(batch.bytes) },
				"AddStrings": func(f adder) { f.AddStrings(batch.strings) },
				"AddHashes":  func(f adder) { f.AddHashes(batch.hashes(5)) },
			} {
				for other, f := range filters(t, p) {
					add(f)
					if !f.View().Equal(want) {
						t.Errorf("%s.%s of %d keys differs from %s one by one", other, kind, n, name)
					}
				}
			}
		}
	}
}

// batch is the same keys as each kind.
type batch struct {
	uint64s []uint64
	bytes   [][]byte
	strings []string
}

func newBatch(r *rand.Rand, n int) (b batch) {
	for range n {
		x := r.Uint64N(40 * 600)
		key := binary.LittleEndian.AppendUint64(nil, x)
		b.uint64s = append(b.uint64s, x)
		b.bytes = append(b.bytes, key)
		b.strings = append(b.strings, string(key))
	}
	return b
}

func (b batch) hashes(seed uint64) []uint64 {
	hs := []uint64{}
	for _, key := range b.bytes {
		hs = append(hs, HashKey(seed, key))
	}
	return hs
}

func TestMisusePanicsWithTheNumbers(t *testing.T) {
	f, err := New(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		f    func()
		text string
	}{
		"HasHashes":   {func() { f.HasHashes(make([]uint64, 1), make([]uint64, 65)) }, "dst has 1 words, the answers for 65 keys need 2"},
		"HasKeys":     {func() { f.HasKeys(nil, make([][]byte, 1)) }, "dst has 0 words, the answers for 1 keys need 1"},
		"HasStrings":  {func() { f.HasStrings(make([]uint64, 15), make([]string, 1000)) }, "dst has 15 words, the answers for 1000 keys need 16"},
		"HasUint64s":  {func() { f.HasUint64s(nil, make([]uint64, 2000)) }, "dst has 0 words, the answers for 2000 keys need 32"},
		"HasHashEach": {func() { HasHashEach(nil, make([]View, 1), 0) }, "dst has 0 words, the answers for 1 keys need 1"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.text) || !strings.HasPrefix(got, "linebloom: ") {
					t.Errorf("%s: panic %q, want %q", what, got, c.text)
				}
			}()
			c.f()
		}()
	}
}

// Buffers on the caller's stack stay there. The types are concrete: a call
// through an interface would move the buffers to the heap by itself.
func TestQueriesAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s := strings.Repeat("k", 40)
	b := newBatch(r, 1000)
	sel := make([]uint32, 0, 1000)
	for _, blocks := range []uint64{10, 1 << 17} { // with and without prefetching
		f, err := NewFromParams(Params{Blocks: blocks, K: 6})
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewAtomicFromParams(f.Params())
		if err != nil {
			t.Fatal(err)
		}
		v := f.View()
		views := []View{v, a.View(), v}
		for what, query := range map[string]func(){
			"one key": func() {
				var key [16]byte
				key[3] = 1
				v.Has(key[:])
				f.Has(key[:])
				a.Has(key[:])
				v.HasString(s)
				f.HasString(s)
				a.HasString(s)
				v.HasUint64(1)
				f.HasUint64(1)
				a.HasUint64(1)
				v.HasHash(2)
				f.HasHash(2)
				a.HasHash(2)
				HashKey(0, key[:])
			},
			"adds of one key": func() {
				var key [16]byte
				key[3] = 1
				f.Add(key[:])
				a.Add(key[:])
				f.AddString(s)
				a.AddString(s)
				f.AddUint64(1)
				a.AddUint64(1)
				f.TestAndAdd(key[:])
				a.TestAndAdd(key[:])
				f.TestAndAddString(s)
				a.TestAndAddString(s)
			},
			"batches": func() {
				var dst [16]uint64
				for _, n := range []int{60, 1000} {
					v.HasKeys(dst[:], b.bytes[:n])
					f.HasStrings(dst[:], b.strings[:n])
					a.HasUint64s(dst[:], b.uint64s[:n])
				}
			},
			"adds of batches": func() {
				for _, n := range []int{60, 1000} {
					f.AddKeys(b.bytes[:n])
					a.AddKeys(b.bytes[:n])
					f.AddStrings(b.strings[:n])
					a.AddStrings(b.strings[:n])
					f.AddUint64s(b.uint64s[:n])
					a.AddUint64s(b.uint64s[:n])
				}
			},
			"hashes on the stack": func() {
				var dst [4]uint64
				var hashes [200]uint64
				for i := range hashes {
					hashes[i] = uint64(i) * 0x9E3779B97F4A7C15
				}
				v.HasHashes(dst[:], hashes[:])
				f.HasHashes(dst[:], hashes[:])
				a.HasHashes(dst[:], hashes[:])
				f.AddHashes(hashes[:])
				a.AddHashes(hashes[:])
				v.HasUint64s(dst[:], hashes[:])
				sel = v.SelectHashes(sel[:0], hashes[:])
			},
			"many filters": func() {
				var dst [1]uint64
				HasHashEach(dst[:], views, 3)
			},
		} {
			if n := testing.AllocsPerRun(20, query); n != 0 {
				t.Errorf("%d blocks, %s: %g allocations", blocks, what, n)
			}
		}
	}
}

// The zero values are not usable, and say so by a panic that can be recovered.
func TestZeroValuesPanic(t *testing.T) {
	for what, f := range map[string]func(){
		"View.HasHash":            func() { View{}.HasHash(1) },
		"View.HasHashes":          func() { View{}.HasHashes(make([]uint64, 1), make([]uint64, 3)) },
		"HasHashEach":             func() { HasHashEach(make([]uint64, 1), make([]View, 2), 1) },
		"Filter.AddHash":          func() { new(Filter).AddHash(1) },
		"Filter.Has":              func() { new(Filter).HasString("x") },
		"AtomicFilter.AddHash":    func() { new(AtomicFilter).AddHash(1) },
		"AtomicFilter.TestAndAdd": func() { new(AtomicFilter).TestAndAddHash(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a zero value does not panic", what)
				}
			}()
			f()
		}()
	}
}
