package asm

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/linebloom/linebloom/generic"
	"github.com/zeebo/xxh3"
)

// lengths around every unrolled tail: all up to two words, and around the
// largest number of keys of one assembly call.
func lengths() []int {
	var ns []int
	for n := range 131 {
		ns = append(ns, n)
	}
	for n := 157; n < 163; n++ { // lookahead + 64
		ns = append(ns, n)
	}
	return append(ns, 1023, 1024, 1025, 1119, 1120, 1121, 2500)
}

// words returns n 64-bit words that end right before a guard page.
func words(t testing.TB, n int) []uint64 {
	if n == 0 {
		return nil
	}
	_, right := guarded(t, 8*n)
	return unsafe.Slice((*uint64)(unsafe.Pointer(&right[0])), n)
}

// places returns copies of data that are guarded on the left, guarded on the
// right, and at odd addresses next to each guard.
func places(t testing.TB, data []byte) map[string][]byte {
	left, right := guarded(t, len(data))
	oddLeft, _ := guarded(t, len(data)+1)
	_, oddRight := guarded(t, len(data)+1)
	m := map[string][]byte{
		"left": left, "right": right,
		"odd, left": oddLeft[1:], "odd, right": oddRight[:len(data)],
	}
	for _, d := range m {
		copy(d, data)
	}
	return m
}

func TestTheKernelsThatMustBeThereAre(t *testing.T) {
	t.Logf("chosen: %s of %d kernels", Chosen(), len(Kernels()))
	want := os.Getenv("LINEBLOOM_KERNEL")
	if want == "" {
		return
	}
	if got := Chosen(); got != want {
		t.Fatalf("LINEBLOOM_KERNEL demands %s, but %s is chosen", want, got)
	}
}

func TestKernelsEqualGeneric(t *testing.T) {
	const blocks = 13
	for _, kernel := range Kernels() {
		t.Run(kernel.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(4, 4))
			hashes := words(t, 2500)
			for k := 1; k <= generic.MaxK; k++ {
				data := make([]byte, blocks*generic.BlockBytes)
				table := generic.NewTable(data, k)
				for i := range hashes {
					hashes[i] = r.Uint64()
				}
				// About half of the bits, and members among the hashes.
				for _, h := range hashes[2500-min(2500, blocks*350/k):] {
					generic.Add(table, h)
				}
				for where, d := range places(t, data) {
					equalGeneric(t, kernel, where, generic.NewTable(d, k), hashes)
				}
			}
		})
	}
}

// equalGeneric compares all operations of a kernel with generic on table.
func equalGeneric(t *testing.T, kernel Kernel, where string, table generic.Table, hashes []uint64) {
	t.Helper()
	data, k := table.Data(), table.K()
	start := slices.Clone(data)
	for _, n := range lengths() {
		hs := hashes[len(hashes)-n:]
		want := make([]uint64, generic.Words(n))
		generic.HasHashes(want, table, hs)
		for name, has := range map[string]func([]uint64, generic.Table, []uint64){
			"HasHashes": kernel.HasHashes, "HasHashesAhead": kernel.HasHashesAhead,
		} {
			got := words(t, len(want))
			for i := range got {
				got[i] = ^uint64(0)
			}
			has(got, table, hs)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, %s, k = %d, %d keys:\n got %#x\nwant %#x", name, where, k, n, got, want)
			}
		}
		wantData := slices.Clone(start)
		generic.AddHashes(generic.NewTable(wantData, k), hs)
		for name, add := range map[string]func(generic.Table, []uint64){
			"AddHashes": kernel.AddHashes, "AddHashesAhead": kernel.AddHashesAhead,
		} {
			add(table, hs)
			if !bytes.Equal(data, wantData) {
				t.Fatalf("%s, %s, k = %d, %d keys: the bits differ", name, where, k, n)
			}
			copy(data, start)
		}
	}
	for _, h := range hashes[len(hashes)-200:] {
		if got, want := kernel.Has(table, h), generic.Has(table, h); got != want {
			t.Fatalf("Has, %s, k = %d: %v for %#x, want %v", where, k, got, h, want)
		}
	}
}

// A block that holds exactly a key's bits says yes; without any one of them it
// says no. Random filters rarely come so close.
func TestKernelsSeeEverySingleBit(t *testing.T) {
	for _, kernel := range Kernels() {
		r := rand.New(rand.NewPCG(5, 5))
		for k := 1; k <= generic.MaxK; k++ {
			for range 100 {
				h := r.Uint64()
				data := make([]byte, generic.BlockBytes)
				kernel.AddHashes(generic.NewTable(data, k), []uint64{h})
				check := func(block []byte, want bool) {
					t.Helper()
					var batch, ahead [1]uint64
					table := generic.NewTable(block, k)
					kernel.HasHashes(batch[:], table, []uint64{h})
					kernel.HasHashesAhead(ahead[:], table, []uint64{h})
					if got := kernel.Has(table, h); got != want || (batch[0] == 1) != want || ahead != batch {
						t.Fatalf("%s, k = %d, hash %#x: one key %v, batches %d %d, want %v",
							kernel.Name, k, h, got, batch[0], ahead[0], want)
					}
				}
				full := bytes.Repeat([]byte{0xff}, generic.BlockBytes)
				for i := range k {
					p := generic.Bit(uint32(h>>32), i)
					for _, block := range [][]byte{data, full} {
						block[p/8] ^= 1 << (p % 8)
						check(block, false)
						block[p/8] ^= 1 << (p % 8)
						check(block, true)
					}
				}
			}
		}
	}
}

func TestKernelsHashLikeXXH3(t *testing.T) {
	for _, kernel := range Kernels() {
		r := rand.New(rand.NewPCG(6, 6))
		for _, n := range lengths() {
			keys, got := words(t, n), words(t, n)
			for i := range keys {
				keys[i] = r.Uint64() >> r.UintN(64)
			}
			seed := r.Uint64()
			kernel.HashUint64s(got, seed, keys)
			for i, x := range keys {
				b := [8]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24),
					byte(x >> 32), byte(x >> 40), byte(x >> 48), byte(x >> 56)}
				if want := xxh3.HashSeed(b[:], seed); got[i] != want {
					t.Fatalf("%s: hash %d of %d is %#x, want %#x", kernel.Name, i, n, got[i], want)
				}
			}
		}
	}
}

// The functions that dispatch give what generic gives, on both sides of the
// size where they begin to prefetch.
func TestDispatchEqualsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range []int{64, 2<<20 - 64, 2 << 20, 2<<20 + 64} {
		for _, k := range []int{1, 6, 8, 9, 16} {
			table := generic.NewTable(make([]byte, size), k)
			want := generic.NewTable(make([]byte, size), k)
			hashes := make([]uint64, 1000)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			AddHashes(table, hashes[:500])
			generic.AddHashes(want, hashes[:500])
			if !bytes.Equal(table.Data(), want.Data()) {
				t.Fatalf("%d bytes, k = %d: AddHashes sets other bits", size, k)
			}
			got, answers := make([]uint64, 16), make([]uint64, 16)
			HasHashes(got, table, hashes)
			generic.HasHashes(answers, table, hashes)
			if !slices.Equal(got, answers) {
				t.Fatalf("%d bytes, k = %d: HasHashes answers otherwise", size, k)
			}
			for _, n := range []int{0, 1, 15, 16, 17} {
				clear(got)
				HasHashes(got, table, hashes[:n])
				if want := answers[0] & (1<<n - 1); got[0] != want {
					t.Fatalf("%d bytes, k = %d: HasHashes answers %#x for %d keys, want %#x", size, k, got[0], n, want)
				}
			}
			for _, h := range hashes {
				if Has(table, h) != generic.Has(table, h) {
					t.Fatalf("%d bytes, k = %d: Has(%#x) answers otherwise", size, k, h)
				}
			}
		}
	}
}
