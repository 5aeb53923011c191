package foreign

import (
	"slices"
	"testing"
)

// A member is one of a structure of C.
type member struct {
	name        string
	size, align int
}

// The structures of three releases, in the order of their members, on a CPU whose
// pointers, and whose alignment of numbers of 64 bits, are so many bytes.
func structures(pointer, wide int) [][]member {
	capacity, rate := member{"capacity", 8, wide}, member{"rate", 8, wide}
	k, seeds := member{"k", 4, 4}, member{"seeds", 4 * 256, 4}
	array, flag := member{"", pointer, pointer}, member{"", 1, 1}
	count, reserved := member{"", 8, wide}, member{"", 4 * 32, 4}
	return [][]member{
		{capacity, rate, k, seeds, array},
		{capacity, rate, k, seeds, array, flag, flag, count, reserved},
		{flag, array, capacity, rate, k, seeds, array, flag, count, reserved},
	}
}

// place returns the layout that a compiler gives a structure: each member at the
// next multiple of its alignment, and all of it a multiple of the largest.
func place(members []member) (l layout) {
	at, most := 0, 1
	up := func(to int) { at = (at + to - 1) / to * to }
	for _, m := range members {
		up(m.align)
		most = max(most, m.align)
		switch m.name {
		case "capacity":
			l.capacity = at
		case "rate":
			l.rate = at
		case "k":
			l.k = at
		case "seeds":
			l.seeds = at
		}
		at += m.size
	}
	up(most)
	l.size = at
	return l
}

func TestLayoutsAreThoseOfCompilers(t *testing.T) {
	var want []layout
	for _, cpu := range []struct{ pointer, wide int }{{8, 8}, {4, 4}, {4, 8}} {
		for _, members := range structures(cpu.pointer, cpu.wide) {
			if l := place(members); !slices.Contains(want, l) {
				want = append(want, l)
			}
		}
	}
	for _, l := range want {
		if !slices.Contains(layouts, l) {
			t.Errorf("the layout %+v is missing", l)
		}
	}
	if len(layouts) != len(want) {
		t.Errorf("%d layouts, want %d: %+v", len(layouts), len(want), want)
	}
}
