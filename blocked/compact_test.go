package blocked

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

func TestCompactRoundTrip(t *testing.T) {
	for _, seed := range []uint64{0, 1, 1 << 63} {
		for _, n := range []int{0, 1, 5, 51, 52, 1000} {
			b, err := NewBuilder(0.001, WithSeed(seed))
			if err != nil {
				t.Fatal(err)
			}
			want, _ := NewBuilder(0.001, WithSeed(seed))
			for x := range uint64(n) {
				b.AddUint64(x)
				want.AddUint64(x)
			}
			size := b.CompactBytes()
			data, err := b.AppendCompact([]byte("prefix"))
			if err != nil || string(data[:6]) != "prefix" || uint64(len(data)) != 6+size || b.Len() != 0 {
				t.Fatalf("%d keys: %d bytes, %v, want %d", n, len(data), err, 6+size)
			}
			data = data[6:]
			f, _ := want.Finish()
			v, err := CompactView(data)
			if err != nil || !v.Equal(f) {
				t.Fatalf("%d keys: the filter differs: %v", n, err)
			}
			if err := CheckCompact(data); err != nil {
				t.Fatal(err)
			}
			if again := f.View().AppendCompact([]byte("prefix")); string(again[:6]) != "prefix" || !bytes.Equal(again[6:], data) {
				t.Fatalf("%d keys: the view's compact form differs", n)
			}
		}
	}
}

// Every change of one byte is found: in the trailer at once, in the blocks by
// CheckCompact. So is every wrong length.
func TestCompactDamage(t *testing.T) {
	b, _ := NewBuilder(0.01)
	for x := range uint64(200) {
		b.AddUint64(x)
	}
	data, _ := b.AppendCompact(nil)
	for i := range data {
		for change := 1; change < 256; change++ {
			data[i] ^= byte(change)
			_, err := CompactView(data)
			if inTrailer := i >= len(data)-CompactTrailer; inTrailer && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d of %d changed by %#x: %v, want ErrCorrupt", i, len(data), change, err)
			}
			if err := CheckCompact(data); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d of %d changed by %#x: %v from CheckCompact, want ErrCorrupt", i, len(data), change, err)
			}
			data[i] ^= byte(change)
		}
	}
	for n := range data {
		if _, err := CompactView(data[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d of %d bytes: %v, want ErrCorrupt", n, len(data), err)
		}
	}
	for n := 1; n < 200; n++ {
		if _, err := CompactView(append(bytes.Clone(data), make([]byte, n)...)); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("with %d bytes more: %v, want ErrCorrupt", n, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 100_000 { // foreign bytes of a right length
		foreign := make([]byte, 64+CompactTrailer)
		for i := range foreign {
			foreign[i] = byte(r.Uint32())
		}
		if _, err := CompactView(foreign); err == nil {
			taken++
		}
	}
	if taken > 1 {
		t.Fatalf("%d of 100,000 random byte strings pass for a compact filter", taken)
	}
}

func TestAppendCompactReusesMemory(t *testing.T) {
	b, _ := NewBuilder(0.01)
	var dst []byte
	if n := testing.AllocsPerRun(20, func() {
		for x := range uint64(1000) {
			b.AddUint64(x)
		}
		dst, _ = b.AppendCompact(dst[:0])
		v, err := CompactView(dst)
		if err != nil || !v.HasUint64(7) {
			t.Fatal("a key is lost")
		}
	}); n != 0 {
		t.Fatalf("%g allocations per table", n)
	}
}

func TestBuilderForBits(t *testing.T) {
	for _, bits := range []float64{1, 9.5, 10, 16, 20, 64} {
		b, err := NewBuilderForBits(bits)
		if err != nil {
			t.Fatal(err)
		}
		const n = 10_000
		for x := range uint64(n) {
			b.AddUint64(x)
		}
		f, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		p := f.Params()
		if got := float64(8*p.Bytes()) / n; got < bits || got > bits+512.0/n {
			t.Errorf("%g bits per key for %g", got, bits)
		}
		for k := 1; k <= 16; k++ {
			other := p
			if other.K = k; other.FPRate(n) < p.FPRate(n)*0.999 {
				t.Errorf("%g bits: k = %d is better than %d", bits, k, p.K)
			}
		}
	}
	for _, bits := range []float64{0, -1, 0.99, 65} {
		if _, err := NewBuilderForBits(bits); !errors.Is(err, ErrInvalid) {
			t.Errorf("%g bits: %v, want ErrInvalid", bits, err)
		}
	}
	b, _ := NewBuilderForBits(10, WithMaxBytes(64))
	for x := range uint64(100) {
		b.AddUint64(x)
	}
	if _, err := b.AppendCompact(nil); !errors.Is(err, ErrTooLarge) || b.Len() != 100 || b.CompactBytes() != 0 {
		t.Errorf("above the maximum: %v, want ErrTooLarge and all keys kept", err)
	}
}
