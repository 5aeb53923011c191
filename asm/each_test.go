package asm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linebloom/linebloom/generic"
)

// Tables of every k, of many sizes and at odd addresses, some of which hold the
// key, and behind guard pages, so that a kernel which reads too far crashes.
func TestHasEachEqualsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range append(lengths()[:131], 200) {
		h := r.Uint64()
		tables := make([]generic.Table, n)
		for i := range tables {
			data := make([]byte, (1+r.IntN(9))*generic.BlockBytes)
			for j := range data {
				data[j] = byte(r.Uint32() | r.Uint32())
			}
			_, right := guarded(t, len(data))
			copy(right, data)
			tables[i] = generic.NewTable(right, 1+r.IntN(generic.MaxK))
			switch r.IntN(3) {
			case 0:
				generic.Add(tables[i], h)
			case 1: // all bits but one
				generic.Add(tables[i], h)
				p := generic.Bit(uint32(h>>32), r.IntN(tables[i].K()))
				right[generic.Offset(tables[i].Blocks(), h)+uint64(p/8)] &^= 1 << (p % 8)
			}
		}
		want := make([]uint64, generic.Words(n)+1)
		want[len(want)-1] = 77 // a word that must stay as it is
		got := slices.Clone(want)
		generic.HasEach(want, tables, h)
		for _, kernel := range Kernels() {
			clear(got[:len(got)-1])
			kernel.HasEach(got, tables, h)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, %d tables: %#x, want %#x", kernel.Name, n, got, want)
			}
		}
		clear(got[:len(got)-1])
		if HasEach(got, tables, h); !slices.Equal(got, want) {
			t.Fatalf("%d tables: %#x, want %#x", n, got, want)
		}
	}
}
