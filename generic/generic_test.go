package generic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The example of DESIGN: hi = 0x01234567, k = 16.
func TestProbesOfTheExample(t *testing.T) {
	want := []uint32{96, 401, 189, 462, 485, 0, 318, 338, 377, 415, 434, 194, 230, 19, 317, 321}
	var got []uint32
	for i := range MaxK {
		got = append(got, Bit(0x01234567, i))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("probes of 0x01234567 are %v, want %v", got, want)
	}
}

func TestSaltsArePowersOfTheGoldenRatio(t *testing.T) {
	if Salts[0] != 1 || Salts[1] != 0x9e3779b9 || Salts[15] != 0x3ae1c209 {
		t.Fatalf("salts are %#x", Salts)
	}
}

func TestOffsetStaysInsideForEveryNumberOfBlocks(t *testing.T) {
	for _, blocks := range []uint64{1, 2, 3, 1000, 1<<32 - 1, 1 << 32} {
		for _, lo := range []uint64{0, 1, 1 << 31, 1<<32 - 1} {
			h := lo | 0xdeadbeef<<32
			got, want := Offset(blocks, h), lo*(blocks>>16)>>16*64
			if blocks < 1<<16 {
				want = lo * blocks >> 32 * 64
			}
			if got >= blocks*64 || got%64 != 0 || blocks%(1<<16) == 0 && got != want {
				t.Errorf("Offset(%d, %#x) = %d", blocks, h, got)
			}
		}
		if got, want := Offset(blocks, 1<<32-1), (blocks-1)*64; got != want {
			t.Errorf("the largest hash is at %d of %d blocks, want the last, %d", got, blocks, want)
		}
	}
}

func TestEveryProbeOfARoundHasItsOwnLane(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		hi := r.Uint32()
		for round := range 2 {
			var lanes uint32
			for i := range Lanes {
				lanes |= 1 << (Bit(hi, round*Lanes+i) / 32 % Lanes)
			}
			if lanes != 0xff {
				t.Fatalf("round %d of %#x uses the lanes %#b", round, hi, lanes)
			}
		}
	}
}

// The words of a shared table hold the same bytes as a plain table, on CPUs of both byte orders.
func TestSharedEqualsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for k := 1; k <= MaxK; k++ {
		const blocks = 5
		data := make([]byte, blocks*BlockBytes)
		table := NewTable(data, k)
		words := make([]uint64, blocks*blockWords)
		shared := NewShared(words, k)
		for range 40 {
			h := r.Uint64()
			before := Has(table, h)
			if got := Has(shared, h); got != before {
				t.Fatalf("k = %d: Has(%#x) = %v in a shared table, %v in a plain one", k, h, got, before)
			}
			Add(table, h)
			if r.IntN(2) == 0 {
				Add(shared, h)
			} else if got := TestAndAdd(shared, h); got != before {
				t.Fatalf("k = %d: TestAndAdd(%#x) = %v, want %v", k, h, got, before)
			}
			if !Has(shared, h) || !Has(table, h) {
				t.Fatalf("k = %d: %#x is lost", k, h)
			}
		}
		if !slices.Equal(nativeBytes(words), data) {
			t.Fatalf("k = %d: the bytes of the shared filter differ", k)
		}
	}
}

// Whoever makes a table of the wrong memory or of a wrong k is told the numbers.
func TestNewTablePanicsWithTheNumbers(t *testing.T) {
	for _, c := range []struct {
		bytes, k int
		text     string
	}{
		{0, 6, "filter of 0 bytes, want a multiple of 64"},
		{63, 6, "filter of 63 bytes"},
		{65, 6, "filter of 65 bytes"},
		{64, 0, "k is 0, want 1 to 16"},
		{64, 17, "k is 17, want 1 to 16"},
		{64, -1, "k is -1, want 1 to 16"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "linebloom: "+c.text) {
					t.Errorf("%d bytes, k = %d: panic %q, want %q", c.bytes, c.k, got, c.text)
				}
			}()
			NewTable(make([]byte, c.bytes), c.k)
		}()
	}
}

// SetWord writes what Word reads, in tables of both kinds and on CPUs of both byte orders.
func TestSetWord(t *testing.T) {
	words := make([]uint64, 3*blockWords)
	for _, table := range []Table{NewTable(make([]byte, 3*BlockBytes), 6), NewShared(words, 6)} {
		table.SetWord(9, 0x0807060504030201)
		if got := table.Word(9); got != 0x0807060504030201 {
			t.Errorf("shared %v: word 9 is %#x", table.Shared(), got)
		}
		want := make([]byte, 3*BlockBytes)
		copy(want[72:], "\x01\x02\x03\x04\x05\x06\x07\x08")
		if !slices.Equal(table.Data(), want) {
			t.Errorf("shared %v: bytes %x", table.Shared(), table.Data())
		}
	}
}
