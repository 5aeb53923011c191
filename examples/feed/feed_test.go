package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

func newFeed(t *testing.T, readers, blocks int) *Feed {
	t.Helper()
	f, err := NewFeed(readers, blocks, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Candidates in random orders, old and new, with repetitions: whatever a reader is
// offered, he sees no article twice.
func TestNoArticleIsShownTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, blocks := range []int{1, 2, 3, 5} {
		const readers, newest = 10, 3000
		f := newFeed(t, readers, blocks)
		was := make([][newest + 1]bool, readers)
		swaps := 0
		for step := range 3000 {
			reader := r.IntN(readers)
			candidates := make([]uint32, r.IntN(60))
			for i := range candidates {
				candidates[i] = 1 + r.Uint32N(uint32(10+min(step, newest-10)))
			}
			n := r.IntN(20)
			before := f.readers[reader].younger
			page := f.Show(nil, reader, candidates, n)
			if f.readers[reader].younger != before {
				swaps++
			}
			if len(page) > n {
				t.Fatalf("%d articles, want at most %d", len(page), n)
			}
			for _, article := range page {
				if was[reader][article] {
					t.Fatalf("%d blocks: reader %d is shown article %d twice", blocks, reader, article)
				}
				was[reader][article] = true
			}
		}
		if swaps < readers {
			t.Errorf("%d blocks: only %d generations were swapped", blocks, swaps)
		}
	}
}

// New articles keep coming through, generation after generation, but for the rate.
func TestNewArticlesAreShownForEver(t *testing.T) {
	const articles, rate = 30_000, 0.01
	for _, blocks := range []int{1, 2, 4} {
		f := newFeed(t, 1, blocks)
		held := 0
		for article := uint32(1); article <= articles; article++ {
			held += 1 - len(f.Show(nil, 0, []uint32{article}, 1))
		}
		mean := rate * articles
		t.Logf("%d blocks: %d of %d articles are held back", blocks, held, articles)
		if float64(held) > mean+5*math.Sqrt(mean) {
			t.Errorf("%d blocks: %d of %d articles are held back, want at most about %.0f", blocks, held, articles, mean)
		}
	}
}

func TestMemoryIsWhatIsStated(t *testing.T) {
	for blocks, want := range map[int]int{1: 2*64 + 16, 2: 4*64 + 16, 4: 8*64 + 16} {
		f := newFeed(t, 1000, blocks)
		if got := f.BytesPerReader(); got != want {
			t.Errorf("%d blocks: %d bytes per reader, want %d", blocks, got, want)
		}
		if got := 8*cap(f.words) + stateBytes*cap(f.readers); got != 1000*want {
			t.Errorf("%d blocks: %d bytes for 1000 readers, want %d", blocks, got, 1000*want)
		}
		for i := range uint32(2000) {
			f.Show(nil, 500, []uint32{i + 1}, 1)
		}
		perReader := len(f.words) / 1000
		if zero := make([]uint64, 500*perReader); !slices.Equal(f.words[:500*perReader], zero) ||
			!slices.Equal(f.words[501*perReader:], zero[:499*perReader]) {
			t.Errorf("%d blocks: a reader's articles are in others' filters", blocks)
		}
		if got := 8*cap(f.words) + stateBytes*cap(f.readers); got != 1000*want {
			t.Errorf("%d blocks: the memory has grown", blocks)
		}
	}
}

func TestAReaderWithManyWindows(t *testing.T) {
	f := newFeed(t, 3, 1)
	candidates := make([]uint32, 300)
	for i := range candidates {
		candidates[i] = uint32(i + 1)
	}
	var mu sync.Mutex
	was := make(map[uint32]bool)
	var windows sync.WaitGroup
	for range 8 {
		windows.Go(func() {
			for range 100 {
				for _, article := range f.Show(nil, 1, candidates, 3) {
					mu.Lock()
					if was[article] {
						t.Errorf("article %d is shown twice", article)
					}
					was[article] = true
					mu.Unlock()
				}
			}
		})
	}
	windows.Wait()
	if len(was) < 280 {
		t.Errorf("%d of 300 articles are shown", len(was))
	}
}

func TestBadParametersAreErrors(t *testing.T) {
	for _, p := range []struct {
		readers, blocks int
		rate            float64
	}{{0, 1, 0.01}, {-1, 1, 0.01}, {1, 0, 0.01}, {1, 65, 0.01}, {1, 1, 0}, {1, 1, 1}, {1, 1, math.NaN()}, {1, 1, 1e-9}} {
		if _, err := NewFeed(p.readers, p.blocks, p.rate); !errors.Is(err, blocked.ErrInvalid) {
			t.Errorf("%+v: %v, want %v", p, err, blocked.ErrInvalid)
		}
	}
	if _, err := NewFeed(math.MaxInt, 1, 0.01); !errors.Is(err, blocked.ErrTooLarge) {
		t.Errorf("%d readers: %v, want %v", math.MaxInt, err, blocked.ErrTooLarge)
	}
	for _, rate := range []float64{blocked.MinFPRate, 0.99} {
		for _, blocks := range []int{1, 64} {
			if f, err := NewFeed(1, blocks, rate); err != nil || f.capacity == 0 {
				t.Errorf("%d blocks, rate %g: %v", blocks, rate, err)
			}
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, 500, 0.01); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	rows := 0
	for line := range strings.Lines(out.String()) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
		var filters, state, all, least, most, twice int
		var mb, held float64
		if _, err := fmt.Sscanf(line, "%d + %d = %d bytes %f MB %d to %d articles %d %f %%",
			&filters, &state, &all, &mb, &least, &most, &twice, &held); err != nil {
			continue
		}
		rows++
		if twice != 0 {
			t.Errorf("articles are shown twice: %q", line)
		}
		if least >= offered*shown/fresh && held > 1 {
			t.Errorf("more than 1 %% is held back: %q", line)
		}
	}
	if rows != 3 {
		t.Errorf("%d rows", rows)
	}
}
