package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// filled returns a filter with random keys, load of them for each block.
func filled(t testing.TB, blocks uint64, k int, load float64) *blocked.Filter {
	t.Helper()
	f, err := blocked.NewFromParams(blocked.Params{Blocks: blocks, K: k})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(k), uint64(load)))
	for range int(load * float64(blocks)) {
		f.AddHash(r.Uint64())
	}
	return f
}

// The model of the blocks is that of the filter, for every k and for filters that
// are nearly empty, full and overfull.
func TestTheFillModelIsTheFilter(t *testing.T) {
	const blocks = 4000
	for k := 1; k <= 16; k++ {
		for _, load := range []float64{0.5, 20, 90} {
			f := filled(t, blocks, k, load)
			fill := fillOf(f.View())
			even := evennessOf(fill, k, f.EstimateCount()/blocks)
			if even == nil || even.verdict() != "as random keys fill them" {
				t.Errorf("k = %d, %g keys a block: %v", k, load, even)
			}
			p := newFillModel(k).distribution(load)
			sum, mean, measured := 0.0, 0.0, 0.0
			for set := range p {
				sum += p[set]
				mean += p[set] * float64(set)
				measured += float64(fill.with[set]) * float64(set) / blocks
			}
			if math.Abs(sum-1) > 1e-3 || math.Abs(mean-measured) > 0.5+0.01*measured {
				t.Errorf("k = %d, %g keys a block: the distribution sums to %g, its mean is %g, measured %g", k, load, sum, mean, measured)
			}
			if load < 20 {
				continue
			}
			// No part of it is off by more than chance.
			for from := 0; from < blockBits; from += 32 {
				want, got := 0.0, 0.0
				for set := from; set < from+32; set++ {
					want += blocks * p[set]
					got += float64(fill.with[set])
				}
				if math.Abs(got-want) > 5*math.Sqrt(want)+0.02*want+5 {
					t.Errorf("k = %d, %g keys a block: %g blocks have %d to %d bits, want %g", k, load, got, from, from+31, want)
				}
			}
		}
	}
}

func TestEvennessTellsABadHash(t *testing.T) {
	const blocks = 5000
	save := func(f *blocked.Filter) string {
		name := filepath.Join(t.TempDir(), "f.lbf")
		if err := filterfile.Save(name, f, nil); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		name, verdict string
		hash          func(r *rand.Rand, i uint64) uint64
	}{
		{"few blocks are hit", "uneven: bad hash or intersection", func(r *rand.Rand, _ uint64) uint64 { return r.Uint64() &^ 0x3ffffff }},
		{"blocks are hit in turn", "too even: bad hash or intersection", func(_ *rand.Rand, i uint64) uint64 { return i * 0x9e3779b97f4a7c15 }},
	} {
		f, _ := blocked.NewFromParams(blocked.Params{Blocks: blocks, K: 6})
		r := rand.New(rand.NewPCG(1, 2))
		for i := range uint64(50 * blocks) {
			f.AddHash(c.hash(r, i))
		}
		name := save(f)
		if facts := infoJSON(t, name, 0); facts["block_verdict"] != c.verdict {
			t.Errorf("%s: %v, ratio %v", c.name, facts["block_verdict"], facts["block_variance_ratio"])
		}
		if _, out, _ := command("", "info", name); !strings.Contains(out, "blocks filled   "+c.verdict+" (variance ") {
			t.Errorf("%s:\n%s", c.name, out)
		}
	}
	// Two filters of other keys have fewer bits in common, and they lie otherwise.
	a, b := filled(t, blocks, 8, 30), filled(t, blocks, 8, 40)
	if err := a.Intersect(b); err != nil {
		t.Fatal(err)
	}
	even := evennessOf(fillOf(a.View()), 8, a.EstimateCount()/blocks)
	if even.verdict() == "as random keys fill them" {
		t.Errorf("an intersection: %v", even)
	}
}

func TestEvennessKnowsWhatItCannotTell(t *testing.T) {
	for _, c := range []struct {
		name   string
		blocks uint64
		load   float64
	}{
		{"empty", 1000, 0}, {"few blocks", 10, 20}, {"full", 200, 5000},
	} {
		f := filled(t, c.blocks, 8, c.load)
		if even := evennessOf(fillOf(f.View()), 8, f.EstimateCount()/float64(c.blocks)); even != nil {
			t.Errorf("%s: %v", c.name, even)
		}
	}
}

func TestInfoPlots(t *testing.T) {
	dir := t.TempDir()
	svg := filepath.Join(dir, "fill.svg")
	for _, c := range []struct {
		name, filter, legend string
	}{
		{"as made", built(t, count(20_000)), "per block as at capacity"},
		{"overfull", built(t, count(20_000), "-n", "5000"), "per block as at capacity"},
		{"empty", built(t, "", "-n", "1000"), "0 per block as here"},
		{"one block", built(t, "a\n", "-n", "1"), "this filter"},
	} {
		code, _, err := command("", "info", "--plot", svg, c.filter)
		picture, _ := os.ReadFile(svg)
		if code != 0 || err != "" {
			t.Fatalf("%s: exit %d, %q", c.name, code, err)
		}
		isPicture(t, picture, "bits set in a block, of 512", "How full the blocks of f.lbf are", "blocks, of ", "this filter", "random keys, ", c.legend)
	}
	if left := contents(t, dir); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{"--plot", "x.png", built(t, "a\n")}, "--plot draws SVG"},
		{[]string{"--plot", svg, testdata(t, "tiny.bloom")}, "without blocks"},
		{[]string{"--plot", svg, built(t, count(10_000), "-n", "1")}, "there is nothing to draw"},
		{[]string{"--plot", filepath.Join(dir, "missing", "x.svg"), built(t, "a\n")}, "no such file"},
	} {
		if code, out, err := command("", append([]string{"info"}, c.args...)...); code != 2 || out != "" || !strings.Contains(err, c.err) {
			t.Errorf("%v: exit %d, %q, %q", c.args, code, out, err)
		}
	}
}
