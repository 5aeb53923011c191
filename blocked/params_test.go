package blocked

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestBadParametersGiveErrInvalid(t *testing.T) {
	news := map[string]func(capacity uint64, rate float64, opts ...Option) error{
		"New":       func(n uint64, p float64, o ...Option) error { _, err := New(n, p, o...); return err },
		"NewAtomic": func(n uint64, p float64, o ...Option) error { _, err := NewAtomic(n, p, o...); return err },
	}
	for name, f := range news {
		for _, p := range []float64{math.NaN(), 0, 1, 1.5, -0.01, math.Inf(1), math.Inf(-1), 9.9e-9, 5e-324} {
			wantErr(t, name+" with a bad rate", f(1000, p), ErrInvalid, "false positive rate")
		}
		wantErr(t, name+" with capacity 0", f(0, 0.01), ErrInvalid, "capacity is 0")
		for _, k := range []int{0, -1, 17, math.MaxInt, math.MinInt} {
			wantErr(t, name+" with a bad k", f(1000, 0.01, WithK(k)), ErrInvalid, "want 1 to 16")
		}
		for _, m := range []uint64{0, 1, 63} {
			wantErr(t, name+" with too few bytes", f(1000, 0.01, WithMaxBytes(m)), ErrInvalid, "at least one block of 64")
		}
		wantErr(t, name+" with a tight maximum", f(1000, 0.01, WithMaxBytes(1024)), ErrTooLarge, "the maximum is 1024")
		wantErr(t, name+" with 2^60 keys", f(1<<60, 0.01), ErrTooLarge, "2^32 blocks")
		wantErr(t, name+" with the most keys", f(math.MaxUint64, 1e-8), ErrTooLarge, "2^32 blocks")
	}

	froms := map[string]func(Params) error{
		"NewFromParams":       func(p Params) error { _, err := NewFromParams(p); return err },
		"NewAtomicFromParams": func(p Params) error { _, err := NewAtomicFromParams(p); return err },
		"ViewOf":              func(p Params) error { _, err := ViewOf(make([]byte, 64), p); return err },
	}
	for name, f := range froms {
		wantErr(t, name+" of no blocks", f(Params{Blocks: 0, K: 6}), ErrInvalid, "0 blocks")
		wantErr(t, name+" of too many blocks", f(Params{Blocks: 1<<32 + 1, K: 6}), ErrInvalid, "want 1 to 2^32")
		wantErr(t, name+" of the most blocks", f(Params{Blocks: math.MaxUint64, K: 6}), ErrInvalid, "want 1 to 2^32")
		wantErr(t, name+" with k = 0", f(Params{Blocks: 1, K: 0}), ErrInvalid, "k is 0")
		wantErr(t, name+" with k = 17", f(Params{Blocks: 1, K: 17}), ErrInvalid, "k is 17")
	}

	if math.MaxInt == math.MaxInt32 {
		wantErr(t, "4 GiB on a 32-bit CPU", froms["NewFromParams"](Params{Blocks: 1 << 26, K: 6}), ErrTooLarge, "address space")
	}

	_, err := ParamsFor(0, 0.1)
	wantErr(t, "ParamsFor of no keys", err, ErrInvalid, "capacity")
	_, err = ParamsForBytes(0, 64)
	wantErr(t, "ParamsForBytes of no keys", err, ErrInvalid, "capacity")
	_, err = ParamsForBytes(1, 63)
	wantErr(t, "ParamsForBytes of 63 bytes", err, ErrInvalid, "63 bytes")
	_, err = NewBuilder(math.NaN())
	wantErr(t, "NewBuilder", err, ErrInvalid, "NaN")
	_, err = NewBuilder(0.01, WithK(99))
	wantErr(t, "NewBuilder", err, ErrInvalid, "k is 99")

	for _, n := range []int{0, 63, 65, 127, 129, 192} {
		_, err := ViewOf(make([]byte, n), Params{Blocks: 2, K: 6})
		wantErr(t, "ViewOf", err, ErrInvalid, "want 128 for 2 blocks")
	}
	for _, p := range []Params{{}, {Blocks: 1}, {Blocks: 1 << 33, K: 1}} {
		if r := p.FPRate(10); !math.IsNaN(r) {
			t.Errorf("FPRate of %v is %g, want NaN", p, r)
		}
	}
}

func wantErr(t *testing.T, what string, err, sentinel error, text string) {
	t.Helper()
	if !errors.Is(err, sentinel) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: error %v, want %q and the words %q", what, err, sentinel, text)
	}
}

func TestParamsForBytesUsesTheBudget(t *testing.T) {
	for _, c := range []struct{ capacity, bytes uint64 }{
		{1, 64}, {1000, 64}, {1000, 1250}, {1_000_000, 1_250_000}, {1_000_000, 4 << 20}, {1 << 40, 1 << 30},
	} {
		p, err := ParamsForBytes(c.capacity, c.bytes)
		if err != nil {
			t.Fatal(err)
		}
		if p.Bytes() > c.bytes {
			t.Errorf("%+v: %d bytes", c, p.Bytes())
		}
		if p.FPRate(c.capacity) > MinFPRate && p.Blocks != c.bytes/64 {
			t.Errorf("%+v: %v leaves memory unused", c, p)
		}
		// The rate that this memory gives needs this memory.
		if r := p.FPRate(c.capacity); r >= MinFPRate && r < 0.99 {
			q, err := ParamsFor(c.capacity, r)
			if err != nil || float64(q.Blocks) < 0.98*float64(p.Blocks)-1 || q.Blocks > p.Blocks+p.Blocks/50 {
				t.Errorf("%+v: %v at %g, ParamsFor gives %v, %v", c, p, r, q, err)
			}
		}
	}
	p, err := ParamsForBytes(10, 1<<40)
	if err != nil || p.Bytes() > 1024 {
		t.Errorf("10 keys and a large budget: %v, %v", p, err)
	}
}

func TestOptions(t *testing.T) {
	f, err := New(1000, 0.01, WithSeed(7), WithK(3), WithMaxBytes(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Params(); p.Seed != 7 || p.K != 3 || p.FPRate(1000) > 0.01 || f.Capacity() != 1000 {
		t.Errorf("%v, capacity %d", p, f.Capacity())
	}
}

// A filter of 1 GiB, 2^33 bits, is made and works; on 32-bit CPUs it is refused
// or made, but nothing else.
func TestTwoToThe33Bits(t *testing.T) {
	f, err := NewFromParams(Params{Blocks: 1 << 24, K: 8})
	if err != nil {
		if !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
		return
	}
	for _, h := range []uint64{0, 1<<32 - 1, 1 << 63, 1<<64 - 1} {
		if f.TestAndAddHash(h) || !f.HasHash(h) {
			t.Errorf("%#x", h)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	for _, c := range []struct {
		opts []Option
		want uint64
	}{
		{nil, math.MaxUint64},
		{[]Option{WithSeed(1), WithK(3)}, math.MaxUint64},
		{[]Option{WithMaxBytes(100), WithMaxBytes(64), WithK(3)}, 64},
	} {
		if got, err := MaxBytes(c.opts...); err != nil || got != c.want {
			t.Errorf("%d options: %d, %v, want %d", len(c.opts), got, err, c.want)
		}
	}
	if _, err := MaxBytes(WithMaxBytes(63)); !errors.Is(err, ErrInvalid) {
		t.Errorf("a bound of 63 bytes: %v, want ErrInvalid", err)
	}
}

func TestNewFromHeader(t *testing.T) {
	h := Header{Params: Params{Blocks: 3, K: 5, Seed: 9}, Capacity: 70, FPRate: 0.25}
	f, err := NewFromHeader(h)
	if err != nil {
		t.Fatal(err)
	}
	if f.Params() != h.Params || f.Capacity() != 70 || f.TargetFPRate() != 0.25 || f.FillRatio() != 0 {
		t.Errorf("a filter of %v, %d keys, rate %g", f.Params(), f.Capacity(), f.TargetFPRate())
	}
	for _, rate := range []float64{-1, 1, math.NaN()} {
		h := h
		h.FPRate = rate
		if _, err := NewFromHeader(h); !errors.Is(err, ErrInvalid) {
			t.Errorf("rate %g: %v", rate, err)
		}
	}
	if _, err := NewFromHeader(Header{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("no blocks: %v", err)
	}
}
