package counting

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
)

// operations is how many operations of n a test does here.
func operations(n int) int {
	if testing.Short() {
		n /= 10
	}
	return n / detector
}

func newTest(t testing.TB, p blocked.Params) *Filter {
	t.Helper()
	f, err := NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// model is a counting filter that keeps what it counts: which keys there are, how
// often, and how many of them have each bit.
type model struct {
	p     blocked.Params
	keys  map[uint64]int // of hashes
	held  []uint64       // the hashes, each as often as it is there, in any order
	bits  map[uint64]int // by block*512 + bit
	stuck map[uint64]bool
}

func newModel(p blocked.Params) *model {
	return &model{p: p, keys: map[uint64]int{}, bits: map[uint64]int{}, stuck: map[uint64]bool{}}
}

// bitsOf returns the bits of a key as docs/FORMAT.md says, each once.
func (m *model) bitsOf(h uint64) map[uint64]bool {
	lo, hi := h&0xffffffff, h>>32
	block := lo * m.p.Blocks >> 32
	salt := func(n uint64) uint64 {
		s := uint64(1)
		for range n {
			s = s * 0x9e3779b9 & 0xffffffff
		}
		return s
	}
	bits := map[uint64]bool{}
	for i := range uint64(m.p.K) {
		lane := (hi>>5&7 + i) & 7
		v := hi * salt(i&8|lane) & 0xffffffff >> 26
		bits[512*block+256*(v>>5)+32*lane+v&31] = true
	}
	return bits
}

func (m *model) add(h uint64) {
	m.keys[h]++
	m.held = append(m.held, h)
	for b := range m.bitsOf(h) {
		if m.bits[b]++; m.bits[b] >= 15 {
			m.stuck[b] = true
		}
	}
}

// remove takes the key at position i of held.
func (m *model) remove(i int) uint64 {
	h := m.held[i]
	last := len(m.held) - 1
	m.held[i], m.held = m.held[last], m.held[:last]
	if m.keys[h]--; m.keys[h] == 0 {
		delete(m.keys, h)
	}
	for b := range m.bitsOf(h) {
		if m.bits[b]--; m.bits[b] == 0 {
			delete(m.bits, b)
		}
	}
	return h
}

// counter returns what a counter must be.
func (m *model) counter(b uint64) byte {
	if m.stuck[b] {
		return 15
	}
	return byte(m.bits[b])
}

func (m *model) has(h uint64) bool {
	for b := range m.bitsOf(h) {
		if m.counter(b) == 0 {
			return false
		}
	}
	return true
}

// check compares all of f with the model.
func (m *model) check(t *testing.T, f *Filter) {
	t.Helper()
	plain, err := blocked.NewFromParams(m.p)
	if err != nil {
		t.Fatal(err)
	}
	for h, n := range m.keys {
		if plain.AddHash(h); n > 0 && !f.HasHash(h) {
			t.Fatalf("%v: key %#x, added %d times more than removed, is lost", m.p, h, n)
		}
	}
	for b := range m.p.Blocks * generic.BlockBits {
		want := m.counter(b)
		if got := f.counters[b/2] >> (b % 2 * 4) & 15; got != want {
			t.Fatalf("%v: counter of bit %d is %d, want %d", m.p, b, got, want)
		}
		if got := f.Blocks()[b/8]>>(b%8)&1 == 1; got != (want > 0) {
			t.Fatalf("%v: bit %d is %v, its counter %d", m.p, b, got, want)
		}
	}
	if f.Len() != uint64(len(m.held)) || f.Stuck() != uint64(len(m.stuck)) {
		t.Fatalf("%v: Len %d, Stuck %d, want %d and %d", m.p, f.Len(), f.Stuck(), len(m.held), len(m.stuck))
	}
	if len(m.stuck) == 0 && !f.Plain().Equal(plain) {
		t.Fatalf("%v: Plain is not the filter of the keys that are left", m.p)
	}
}

// A million random legal operations, more for all k together, against an exact
// multiset: no key is lost at any time, and the filter is what the model says.
func TestRandomOperationsAgainstAMultiset(t *testing.T) {
	for k := 1; k <= generic.MaxK; k++ {
		n := 50_000
		if k == 6 {
			n = 1_000_000
		}
		compareRandomly(t, blocked.Params{Blocks: 7 + uint64(k), K: k, Seed: 3}, operations(n), 100_000)
	}
}

// The same with so few different keys that counters stick.
func TestRandomOperationsWithStuckCounters(t *testing.T) {
	for _, k := range []int{1, 6, 8, 11, 16} {
		m := compareRandomly(t, blocked.Params{Blocks: 2, K: k}, max(operations(20_000), 4000), 10)
		if len(m.stuck) == 0 {
			t.Errorf("k = %d: no counter stuck", k)
		}
	}
}

func compareRandomly(t *testing.T, p blocked.Params, n int, universe uint64) *model {
	t.Helper()
	f, m := newTest(t, p), newModel(p)
	r := rand.New(rand.NewPCG(9, uint64(p.K)))
	full := int(p.Blocks) * 512 / 10 // ten bits per key
	held := func() (int, uint64) { i := r.IntN(len(m.held)); return i, m.held[i] }
	for op := range n {
		h := blocked.HashUint64(p.Seed, r.Uint64N(universe))
		switch {
		case len(m.held) == 0 || r.IntN(2*full) >= len(m.held): // rather add while it is empty
			want := m.has(h)
			if got := f.TestAndAddHash(h); got != want {
				t.Fatalf("%v: TestAndAdd says %v, want %v", p, got, want)
			}
			m.add(h)
		case m.keys[h] == 0 && !m.has(h): // certainly not there
			if f.RemoveHash(h) {
				t.Fatalf("%v: %#x was removed and is not there", p, h)
			}
		default:
			i, h := held()
			if m.remove(i); !f.RemoveHash(h) {
				t.Fatalf("%v: %#x is there and was not removed", p, h)
			}
		}
		if len(m.held) > 0 {
			if _, h := held(); !f.HasHash(h) {
				t.Fatalf("%v: key %#x is lost after %d operations", p, h, op)
			}
		}
		if op%(n/8+1) == 0 {
			m.check(t, f)
		}
	}
	m.check(t, f)
	for len(m.held) > 0 { // until nothing is left but what is stuck
		if !f.RemoveHash(m.remove(0)) {
			t.Fatalf("%v: a key was not removed", p)
		}
	}
	m.check(t, f)
	return m
}

// Batches do what a loop over their keys does, answers included, also with a key that
// is in a batch more often than in the filter.
func TestBatchesAgainstAMultiset(t *testing.T) {
	for _, p := range []blocked.Params{{Blocks: 3, K: 7}, {Blocks: 200, K: 11, Seed: 2}} {
		f, m := newTest(t, p), newModel(p)
		r := rand.New(rand.NewPCG(12, p.Blocks))
		universe := hashes(int(p.Blocks)*40, 9)
		for range operations(1000) {
			batch := make([]uint64, r.IntN(100))
			for i := range batch {
				batch[i] = universe[r.IntN(len(universe))]
			}
			if len(m.held) < len(universe)/2 {
				f.AddHashes(batch)
				for _, h := range batch {
					m.add(h)
				}
				continue
			}
			want := make([]uint64, 2)
			legal := batch[:0]
			for _, h := range batch {
				i := slices.Index(m.held, h)
				if i < 0 && m.has(h) {
					continue // a false positive
				}
				if i >= 0 {
					m.remove(i)
					want[len(legal)/64] |= 1 << (len(legal) % 64)
				}
				legal = append(legal, h)
			}
			got := make([]uint64, 2)
			n := f.RemoveHashes(got, legal)
			if !slices.Equal(got, want) || n != bits.OnesCount64(want[0])+bits.OnesCount64(want[1]) {
				t.Fatalf("%v: %d removed, %x, want %x", p, n, got, want)
			}
		}
		m.check(t, f)
	}
}
