package window

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/linebloom/linebloom/blocked"
)

// live returns a Live with keys 0 to n-1.
func live(t testing.TB, n uint64) *Live {
	t.Helper()
	f, err := blocked.NewAtomic(max(n, 1000), 1e-4, blocked.WithSeed(5))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLive(f)
	l.AddUint64s(span(0, n))
	return l
}

// span returns keys from to to-1.
func span(from, to uint64) (keys []uint64) {
	for key := from; key < to; key++ {
		keys = append(keys, key)
	}
	return keys
}

// numbers is a source of keys from to to-1, all in the same memory.
func numbers(from, to uint64) iter.Seq2[[]byte, error] {
	return FromKeys(func(yield func([]byte) bool) {
		p := make([]byte, 8)
		for key := from; key < to; key++ {
			copy(p, little(key))
			if !yield(p) {
				return
			}
		}
	})
}

// missing returns how many of the keys from to to-1 a filter says no to.
func missing(f interface {
	HasUint64s(dst, keys []uint64) int
}, from, to uint64) int {
	keys := span(from, to)
	return len(keys) - f.HasUint64s(make([]uint64, (len(keys)+63)/64), keys)
}

func TestRebuild(t *testing.T) {
	ctx := t.Context()
	for name, opts := range map[string]RebuildOptions{
		"counted":            {},
		"counted, with room": {Room: 50_000},
		"sized":              {Capacity: 30_000},
		"sized, other rate":  {Capacity: 30_000, FPRate: 0.01, MaxBytes: 1 << 20},
	} {
		l := live(t, 20_000)
		if err := l.Rebuild(ctx, numbers(10_000, 40_000), opts); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := missing(l, 10_000, 40_000); n > 0 {
			t.Errorf("%s: %d keys of the source are missing", name, n)
		}
		if n := missing(l, 0, 10_000); n < 9_500 {
			t.Errorf("%s: only %d of 10000 keys that the source has no more are forgotten", name, n)
		}
		want := 30_000 + opts.Room
		if l.Capacity() != want || l.Params().Seed != 5 {
			t.Errorf("%s: capacity %d, want %d; seed %d", name, l.Capacity(), want, l.Params().Seed)
		}
		if opts.FPRate == 0 {
			opts.FPRate = 1e-4
		}
		if got := l.TargetFPRate(); got != opts.FPRate || l.View().EstimateFPRate() > 1.05*got {
			t.Errorf("%s: rate %g", name, got)
		}
		if !l.Has(little(12_345)) || !l.HasString(string(little(12_345))) || !l.HasUint64(12_345) || !l.HasHash(blocked.HashUint64(5, 12_345)) {
			t.Errorf("%s: a key is missing", name)
		}
		l.AddKeys([][]byte{[]byte("a")})
		l.AddStrings([]string{"b"})
		l.Add([]byte("c"))
		l.AddString("d")
		var dst [1]uint64
		if l.HasStrings(dst[:], []string{"a", "b", "c", "d"}) != 4 || l.HasKeys(dst[:], [][]byte{[]byte("d")}) != 1 ||
			l.HasHashes(dst[:], []uint64{blocked.HashString(5, "b")}) != 1 {
			t.Errorf("%s: what was added after it is missing", name)
		}
	}
}

// What is added while the source is read, in every way, is in the new filter, and
// counts.
func TestRebuildKeepsWhatIsAddedMeanwhile(t *testing.T) {
	for _, opts := range []RebuildOptions{{}, {Capacity: 3000}} {
		l := live(t, 1000)
		err := l.Rebuild(t.Context(), func(yield func([]byte, error) bool) {
			l.AddUint64(1 << 20)
			for key := range uint64(500) {
				yield(little(key), nil)
			}
			l.AddUint64s(span(1<<21, 1<<21+2000))
			l.AddString("text")
			if n := missing(l, 0, 1000); n > 0 || !l.HasString("text") {
				t.Errorf("%d keys of the old filter are missing during the rebuild", n)
			}
		}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if n := missing(l, 0, 500) + missing(l, 1<<21, 1<<21+2000); n > 0 || !l.HasUint64(1<<20) || !l.HasString("text") {
			t.Errorf("%d keys are missing", n)
		}
		if want := uint64(500 + 2002); opts.Capacity == 0 && l.Capacity() != want {
			t.Errorf("capacity %d, want %d", l.Capacity(), want)
		}
		if l.HasUint64(700) && l.HasUint64(701) {
			t.Error("it is the old filter")
		}
	}
}

// A rebuild that fails leaves the old filter, with what was added meanwhile, and
// nothing of the new one.
func TestRebuildThatFails(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, c := range []struct {
		name   string
		opts   RebuildOptions
		want   error
		source func(l *Live) iter.Seq2[[]byte, error]
	}{
		{"error of the source", RebuildOptions{}, broken, func(l *Live) iter.Seq2[[]byte, error] {
			return func(yield func([]byte, error) bool) {
				for key := range uint64(20_000) {
					yield(little(key+1<<30), nil)
				}
				yield(nil, broken)
			}
		}},
		{"too large when counted", RebuildOptions{MaxBytes: 64 << 10}, blocked.ErrTooLarge, func(*Live) iter.Seq2[[]byte, error] {
			return numbers(1<<30, 1<<62) // never ends
		}},
		{"too large with what was added", RebuildOptions{MaxBytes: 64 << 10}, blocked.ErrTooLarge, func(l *Live) iter.Seq2[[]byte, error] {
			l.AddUint64s(span(1<<31, 1<<31+50_000))
			return func(func([]byte, error) bool) { l.AddUint64s(span(1<<31, 1<<31+50_000)) }
		}},
		{"too large when sized", RebuildOptions{Capacity: 1 << 60}, blocked.ErrTooLarge, nil},
		{"too much room", RebuildOptions{Room: 1<<64 - 1}, blocked.ErrTooLarge, nil},
		{"bad rate", RebuildOptions{FPRate: 1.5}, blocked.ErrInvalid, nil},
		{"bad rate when sized", RebuildOptions{FPRate: -1, Capacity: 5}, blocked.ErrInvalid, nil},
		{"bad bound", RebuildOptions{MaxBytes: 3}, blocked.ErrInvalid, nil},
		{"cancelled", RebuildOptions{}, context.Canceled, func(*Live) iter.Seq2[[]byte, error] {
			return func(yield func([]byte, error) bool) {
				for key := uint64(1 << 30); yield(little(key), nil); key++ {
					if key == 1<<30+30_000 {
						cancel()
					}
				}
			}
		}},
		{"cancelled before", RebuildOptions{Capacity: 5}, context.Canceled, func(*Live) iter.Seq2[[]byte, error] { return numbers(0, 1) }},
		{"cancelled while nothing comes", RebuildOptions{}, context.Canceled, func(*Live) iter.Seq2[[]byte, error] { return FromChannel(ctx, nil) }},
	} {
		l := live(t, 1000)
		before, old := l.View(), l.current()
		content := slices.Clone(before.Blocks())
		source := numbers(1<<30, 1<<30+10)
		if c.source != nil {
			source = c.source(l)
		}
		if err := l.Rebuild(ctx, source, c.opts); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
		if st := l.state.Load(); st.filter != old || st.next != nil || st.noted != nil {
			t.Errorf("%s: another filter serves, or something is added to besides", c.name)
		}
		if c.name != "too large with what was added" && !slices.Equal(before.Blocks(), content) {
			t.Errorf("%s: the old filter has changed", c.name)
		}
		if err := l.Rebuild(t.Context(), numbers(0, 10), RebuildOptions{}); err != nil || missing(l, 0, 10) > 0 {
			t.Errorf("%s: no rebuild after it: %v", c.name, err)
		}
	}
}

// A source that panics, or ends its goroutine, does so through Rebuild, which
// cleans up; and the new filter is garbage.
func TestRebuildWithASourceThatPanics(t *testing.T) {
	for _, exit := range []bool{false, true} {
		l := live(t, 1000)
		old := l.current()
		var next weak.Pointer[blocked.AtomicFilter]
		done := make(chan any)
		go func() {
			defer func() { done <- recover() }()
			l.Rebuild(context.Background(), func(yield func([]byte, error) bool) {
				l.AddString("meanwhile")
				next = weak.Make(l.state.Load().next)
				if exit {
					runtime.Goexit()
				}
				panic("broken")
			}, RebuildOptions{Capacity: 1000})
		}()
		if r := <-done; !exit && r != "broken" {
			t.Errorf("recovered %v", r)
		}
		if st := l.state.Load(); st.filter != old || st.next != nil || !l.HasString("meanwhile") || missing(l, 0, 1000) > 0 {
			t.Error("the old filter does not serve as before")
		}
		for range 5 {
			runtime.GC()
		}
		if next.Value() != nil {
			t.Error("the new filter is still there")
		}
		if err := l.Rebuild(t.Context(), numbers(0, 10), RebuildOptions{}); err != nil {
			t.Errorf("no rebuild after it: %v", err)
		}
	}
}

func TestOneRebuildAtATime(t *testing.T) {
	l := live(t, 10)
	err := l.Rebuild(t.Context(), func(yield func([]byte, error) bool) {
		if err := l.Rebuild(t.Context(), numbers(0, 5), RebuildOptions{}); !errors.Is(err, ErrRebuilding) {
			t.Errorf("a second rebuild: %v", err)
		}
		yield(little(7), nil)
	}, RebuildOptions{})
	if err != nil || !l.HasUint64(7) {
		t.Error(err)
	}
}

func TestFromChannel(t *testing.T) {
	l := live(t, 10)
	keys := make(chan []byte)
	go func() {
		defer close(keys)
		for key := range uint64(20_000) {
			keys <- little(key)
		}
	}()
	if err := l.Rebuild(t.Context(), FromChannel(t.Context(), keys), RebuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := missing(l, 0, 20_000); n > 0 || l.Capacity() != 20_000 {
		t.Errorf("%d keys are missing, capacity %d", n, l.Capacity())
	}
}

// An add that began in any state of a rebuild, and goes on after a later one has
// begun, ends with its key in the new filter.
func TestAnAddThatIsOvertaken(t *testing.T) {
	for _, opts := range []RebuildOptions{{}, {Capacity: 100}} {
		l := live(t, 10)
		states := []*serving{l.state.Load()}
		note := func() {
			if st := l.state.Load(); st != states[len(states)-1] {
				states = append(states, st)
			}
		}
		source := func(yield func([]byte, error) bool) {
			note()
			yield(little(1), nil)
		}
		for range 2 {
			if err := l.Rebuild(t.Context(), source, opts); err != nil {
				t.Fatal(err)
			}
			note()
		}
		for i, st := range states {
			l.addTo(st, []uint64{uint64(i) << 33})
			if !l.HasHash(uint64(i) << 33) {
				t.Errorf("%v: a key is lost whose adding began in state %d", opts, i)
			}
		}
		if len(states) != 5 {
			t.Errorf("%d states", len(states))
		}
	}
}
