package scalable

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// grown returns the number of links and the blocks of a chain for n keys, and of
// the blocked filter for exactly n keys with the same rate, without making them.
func grown(t *testing.T, first, n uint64, fpRate float64) (links int, blocks, one uint64) {
	t.Helper()
	var chain []*link
	for capacity, total := first, uint64(0); ; capacity = nextCapacity(capacity) {
		rate := nextShare(fpRate, chain)
		p, err := blocked.ParamsFor(capacity, rate)
		if err != nil {
			t.Fatal(err)
		}
		chain = append(chain, &link{capacity: capacity, fpRate: rate})
		blocks += p.Blocks
		if total += capacity; total >= n {
			break
		}
	}
	p, err := blocked.ParamsFor(n, fpRate)
	if err != nil {
		t.Fatal(err)
	}
	return len(chain), blocks, p.Blocks
}

// From 1,000 keys to 10^8 a chain has at most ten links. The table of the package
// comment is logged here.
func TestLinksAndMemory(t *testing.T) {
	for _, fpRate := range []float64{0.1, 0.01, 0.001, 1e-4, 1e-6} {
		for _, n := range []uint64{1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9} {
			links, blocks, one := grown(t, 1000, n, fpRate)
			ratio := float64(blocks) / float64(one)
			t.Logf("rate %-5g n = %10d: %2d links, %5.2f times the memory of one filter", fpRate, n, links, ratio)
			if n <= 1e8 && links > 10 {
				t.Errorf("rate %g, %d keys: %d links, want at most 10", fpRate, n, links)
			}
		}
		sum, count, best, worst := 0.0, 0, math.Inf(1), 0.0
		for n := 1e5; n < 1e9; n *= 1.02 {
			_, blocks, one := grown(t, 1000, uint64(n), fpRate)
			ratio := float64(blocks) / float64(one)
			sum += ratio
			best, worst = min(best, ratio), max(worst, ratio)
			count++
		}
		mean := sum / float64(count)
		t.Logf("rate %-5g n from 10^5 to 10^9: %.2f to %.2f times the memory, mean %.2f", fpRate, best, worst, mean)
		if fpRate == 0.01 && (mean > 3.1 || worst > 5.6) {
			t.Errorf("memory is %.2f times that of one filter, at worst %.2f, want 3.1 and 5.6", mean, worst)
		}
	}
}

// The rates of all links that a chain can have before it has 2^32 blocks together
// stay below the rate of the whole, and none is too small for a filter.
func TestSharesNeverReachTheWhole(t *testing.T) {
	for _, fpRate := range []float64{MinFPRate, 1e-4, 0.01, 0.5, math.Nextafter(1, 0)} {
		for _, first := range []uint64{1, 9, 1000, 99_999, 1e6, 1e9} {
			var chain []*link
			sum, blocks := 0.0, uint64(0)
			for capacity := first; ; capacity = nextCapacity(capacity) {
				rate := nextShare(fpRate, chain)
				if rate < blocked.MinFPRate {
					t.Fatalf("rate %g, first %d: link %d would have a rate of %g", fpRate, first, len(chain), rate)
				}
				if want := fpRate * share * math.Pow(1-share, float64(len(chain))); math.Abs(rate/want-1) > 1e-9 {
					t.Fatalf("rate %g: link %d has %g, want %g", fpRate, len(chain), rate, want)
				}
				p, err := blocked.ParamsFor(capacity, rate)
				if err != nil || blocks+p.Blocks > 1<<32 {
					break
				}
				blocks += p.Blocks
				chain = append(chain, &link{capacity: capacity, fpRate: rate})
				if sum += rate; sum >= fpRate {
					t.Fatalf("rate %g, first %d: %d links have a rate of %g together", fpRate, first, len(chain), sum)
				}
			}
			if len(chain) > 32 {
				t.Errorf("rate %g, first %d: %d links", fpRate, first, len(chain))
			}
		}
	}
}

func TestNextCapacity(t *testing.T) {
	for n, want := range map[uint64]uint64{
		1: 10, 1000: 10_000, 99_999: 999_990, 100_000: 260_000, 260_000: 676_000, 676_001: 1_757_602,
		7e18: 18.2e18,
	} {
		if got := nextCapacity(n); got != want {
			t.Errorf("after %d keys: %d, want %d", n, got, want)
		}
	}
}

func TestBadParametersGiveErrors(t *testing.T) {
	for what, c := range map[string]struct {
		n      uint64
		fpRate float64
		opts   []blocked.Option
		err    error
		text   string
	}{
		"no keys":       {0, 0.01, nil, blocked.ErrInvalid, "capacity is 0"},
		"NaN":           {10, math.NaN(), nil, blocked.ErrInvalid, "rate is NaN, want at least 1e-06 and below 1"},
		"rate 0":        {10, 0, nil, blocked.ErrInvalid, "rate is 0"},
		"rate 1":        {10, 1, nil, blocked.ErrInvalid, "rate is 1"},
		"negative rate": {10, -0.1, nil, blocked.ErrInvalid, "rate is -0.1"},
		"infinite rate": {10, math.Inf(1), nil, blocked.ErrInvalid, "rate is +Inf"},
		"small rate":    {10, 9.9e-7, nil, blocked.ErrInvalid, "rate is 9.9e-07"},
		"2^60 keys":     {1 << 60, 0.01, nil, blocked.ErrTooLarge, "2^32 blocks"},
		"k = 17":        {10, 0.01, []blocked.Option{blocked.WithK(17)}, blocked.ErrInvalid, "k is 17"},
		"no bytes":      {10, 0.01, []blocked.Option{blocked.WithMaxBytes(63)}, blocked.ErrInvalid, "at least one block"},
		"few bytes":     {1000, 0.01, []blocked.Option{blocked.WithMaxBytes(64)}, blocked.ErrTooLarge, "the maximum is 64"},
	} {
		f, err := New(c.n, c.fpRate, c.opts...)
		if f != nil || !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "linebloom: ") || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, %v, want %v with %q", what, f, err, c.err, c.text)
		}
	}
}

// Up to its bound a filter takes keys at the rate that was promised; then it
// refuses new ones and knows the old ones. With a higher bound it goes on.
func TestMaxBytes(t *testing.T) {
	for _, bound := range []uint64{2 << 10, 30_000, 100_000, (1 << 19) / detector} {
		f, err := New(1000, 0.01, blocked.WithMaxBytes(bound), blocked.WithSeed(3))
		if err != nil {
			t.Fatal(err)
		}
		var added []uint64
		x := uint64(0)
		for ; ; x++ {
			was, err := f.TestAndAddUint64(x)
			if err != nil {
				if was || !errors.Is(err, blocked.ErrTooLarge) || !strings.Contains(err.Error(), "there is no room for another") {
					t.Fatalf("key %d: %v, %v", x, was, err)
				}
				break
			}
			added = append(added, x)
		}
		if f.Len() != f.Capacity() || f.Bytes() > bound {
			t.Errorf("bound %d: %d keys of %d in %d bytes", bound, f.Len(), f.Capacity(), f.Bytes())
		}
		if bound > 1<<14 && float64(f.Bytes()) < 0.8*float64(bound) {
			t.Errorf("bound %d: only %d bytes are used", bound, f.Bytes())
		}
		t.Logf("bound %7d: %6d keys, %d links, %d bytes", bound, f.Len(), f.Links(), f.Bytes())
		before := f.EstimateFPRate()
		if before > 0.01 {
			t.Errorf("bound %d: rate %g, want at most 0.01", bound, before)
		}
		// Nothing more goes in, by any method.
		fresh := make([]uint64, 3000)
		for i := range fresh {
			fresh[i] = 1<<40 + uint64(i)
		}
		present := make([]uint64, (len(fresh)+63)/64)
		hits := f.HasUint64s(present, fresh)
		for what, err := range map[string]error{
			"Add":        f.AddUint64(x),
			"AddUint64s": f.AddUint64s(fresh),
			"AddStrings": f.AddStrings([]string{"one", "two", "three", "four", "five"}),
		} {
			if !errors.Is(err, blocked.ErrTooLarge) {
				t.Errorf("bound %d: %s: %v, want ErrTooLarge", bound, what, err)
			}
		}
		if f.EstimateFPRate() != before || f.HasUint64s(present, fresh) != hits || f.Len() != f.Capacity() {
			t.Errorf("bound %d: keys were added to a full filter", bound)
		}
		for _, y := range added {
			if was, err := f.TestAndAddUint64(y); !was || err != nil || !f.HasUint64(y) {
				t.Fatalf("bound %d: key %d: %v, %v", bound, y, was, err)
			}
		}
		if err := f.AddUint64s(added); err != nil {
			t.Errorf("bound %d: keys that are there: %v", bound, err)
		}
		f.SetMaxBytes(0)
		if err := f.AddUint64s(fresh); err != nil || f.HasUint64s(present, fresh) != len(fresh) {
			t.Errorf("bound %d: without a bound: %v, or keys are missing", bound, err)
		}
		if rate := f.EstimateFPRate(); rate > 0.01 {
			t.Errorf("bound %d: rate %g after it was raised", bound, rate)
		}
	}
}

// A batch that does not fit is added as far as it does.
func TestBatchesFillWhatIsLeft(t *testing.T) {
	f, err := New(1000, 0.01, blocked.WithMaxBytes(2<<10))
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]uint64, 5000)
	for i := range batch {
		batch[i] = uint64(i) / 2 // each twice
	}
	if err := f.AddUint64s(batch); !errors.Is(err, blocked.ErrTooLarge) {
		t.Fatalf("%v, want ErrTooLarge", err)
	}
	if f.Len() != 1000 || f.Links() != 1 {
		t.Fatalf("%d keys in %d links, want 1000 in one", f.Len(), f.Links())
	}
	missing := 0
	for x := range uint64(2500) {
		if !f.HasUint64(x) {
			missing++
		} else if missing > 0 && x < 1000 {
			t.Fatalf("key %d is there, but one before it is not", x)
		}
	}
	if missing < 1400 || missing > 1500 {
		t.Errorf("%d keys are missing, want about 1500", missing)
	}
}
