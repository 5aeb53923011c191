package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// published are the figures of the classic table, by m/n, from k = 17 on; it
// leaves out those far above the optimal k.
var published = map[int]struct {
	k     float64
	rates []float64
}{
	22: {15.2, []float64{2.67e-05}},
	23: {15.9, []float64{1.61e-05}},
	24: {16.6, []float64{9.84e-06, 1e-05}},
	25: {17.3, []float64{6.08e-06, 6.11e-06, 6.27e-06}},
	26: {18, []float64{3.81e-06, 3.76e-06, 3.8e-06, 3.92e-06}},
	27: {18.7, []float64{2.41e-06, 2.34e-06, 2.33e-06, 2.37e-06}},
	28: {19.4, []float64{1.54e-06, 1.47e-06, 1.44e-06, 1.44e-06, 1.48e-06}},
	29: {20.1, []float64{9.96e-07, 9.35e-07, 9.01e-07, 8.89e-07, 8.96e-07, 9.21e-07}},
	30: {20.8, []float64{6.5e-07, 6e-07, 5.69e-07, 5.54e-07, 5.5e-07, 5.58e-07}},
	31: {21.5, []float64{4.29e-07, 3.89e-07, 3.63e-07, 3.48e-07, 3.41e-07, 3.41e-07, 3.48e-07}},
	32: {22.2, []float64{2.85e-07, 2.55e-07, 2.34e-07, 2.21e-07, 2.13e-07, 2.1e-07, 2.12e-07, 2.17e-07}},
}

func TestTheTableIsThePublishedOne(t *testing.T) {
	code, out, err := command("", "calc", "--table")
	if code != 0 || err != "" {
		t.Fatalf("exit %d, %q", code, err)
	}
	fits(t, "calc --table", out)
	rows := strings.Split(out, "\n")[4:]
	for bits, want := range published {
		row := fmt.Sprintf("%3d %4.1f", bits, want.k)
		for _, rate := range want.rates {
			row += fmt.Sprintf(" %8.2e", rate)
		}
		if got := rows[bits-22]; !strings.HasPrefix(got, row) {
			t.Errorf("the row is %q, published is %q", got, row)
		}
	}
	if rate := classicRate(20, 10); fmt.Sprintf("%.3g", rate) != "8.89e-05" {
		t.Errorf("the rate of k = 10 at 20 bits per key is %g, published is 0.0000889", rate)
	}

	var tab table
	_, out, _ = command("", "calc", "--table", "--json")
	if err := json.Unmarshal([]byte(out), &tab); err != nil || len(tab.Rows) != 11 || len(tab.Rows[0].ClassicRates) != 8 {
		t.Errorf("%v, %d rows", err, len(tab.Rows))
	}
	for _, row := range tab.Rows { // no k of this library is better than the one that is shown
		p, err := blocked.ParamsForBytes(1<<22, uint64(row.BitsPerKey)<<19)
		if rate := p.FPRate(1 << 22); err != nil || rate < row.BlockedRate*0.9999 {
			t.Errorf("%d bits: %g, but %v has %g", row.BitsPerKey, row.BlockedRate, p, rate)
		}
	}
}

// asked returns the answers of calc --json.
func askedOf(t *testing.T, args ...string) answers {
	t.Helper()
	code, out, err := command("", append([]string{"calc", "--json"}, args...)...)
	var a answers
	if e := json.Unmarshal([]byte(out), &a); e != nil || code != 0 || err != "" {
		t.Fatalf("%v: exit %d, %v, %q", args, code, e, err)
	}
	return a
}

// Whatever is left out, the answers are those of the formulas, and of each other.
func TestCalcAnswersFitTogether(t *testing.T) {
	for _, args := range [][]string{
		{"-n", "10M", "-p", "0.001"}, {"-n", "10M", "-p", "1/1000", "-k", "6"}, {"-n", "1", "-p", "0.5"},
		{"-n", "10M", "--mem", "16MiB"}, {"-n", "10_000_000", "-m", "134217728", "-k", "3"}, {"-n", "2k", "--mem", "1K"},
		{"--mem", "64MiB", "-p", "1 in 1M"}, {"--mem", "64MiB", "-p", "1e-6", "-k", "8"}, {"--mem", "64", "-p", "0.3"},
		{"-n", "1G", "-p", "1e-8"},
	} {
		a := askedOf(t, args...)
		c, b := a.Classic, *a.Blocked
		if rate := classicRate(c.BitsPerKey, c.K); math.Abs(c.Rate/rate-1) > 1e-9 {
			t.Errorf("%v: classic rate %g, want %g", args, c.Rate, rate)
		}
		p := blocked.Params{Blocks: *b.Bits / 512, K: b.K}
		if rate := p.FPRate(*b.Keys); b.Rate != rate || p.Bytes() != *b.Bytes {
			t.Errorf("%v: rate %g of %d bytes, want %g of %d", args, b.Rate, *b.Bytes, rate, p.Bytes())
		}
		for _, d := range []design{c, b} {
			if math.Abs(d.BitsPerKey-float64(*d.Bits)/float64(*d.Keys)) > 1e-9 || *d.Bytes != (*d.Bits+7)/8 {
				t.Errorf("%v: %+v", args, d)
			}
		}
	}
}

func TestCalcComputesWhatIsLeftOut(t *testing.T) {
	// The memory: that of New.
	a := askedOf(t, "-n", "10M", "-p", "0.1%")
	want, _ := blocked.ParamsFor(10_000_000, 0.001)
	if *a.Blocked.Bytes != want.Bytes() || a.Blocked.K != want.K || a.Classic.K != 10 || math.Abs(a.Classic.BitsPerKey-14.38) > 0.005 {
		t.Errorf("%+v, %+v", a.Classic, a.Blocked)
	}
	// The rate: that of ParamsForBytes.
	a = askedOf(t, "-n", "10M", "--mem", "16MiB")
	want, _ = blocked.ParamsForBytes(10_000_000, 16<<20)
	if a.Blocked.Rate != want.FPRate(10_000_000) || a.Classic.K != 9 || *a.Classic.Bytes != 16<<20 {
		t.Errorf("%+v, %+v", a.Classic, a.Blocked)
	}
	// The keys: no more fit, and no fewer.
	a = askedOf(t, "--mem", "1MiB", "-p", "1e-4")
	n := *a.Blocked.Keys
	p := blocked.Params{Blocks: 1 << 14, K: a.Blocked.K}
	if p.FPRate(n) > 1e-4 || p.FPRate(n+1) <= 1e-4 {
		t.Errorf("%d keys have rate %g, one more %g", n, p.FPRate(n), p.FPRate(n+1))
	}
	for k := 1; k <= 16; k++ {
		if (blocked.Params{Blocks: 1 << 14, K: k}).FPRate(n+1) <= 1e-4 {
			t.Errorf("k = %d takes more than %d keys", k, n)
		}
	}
	classic := *a.Classic.Keys
	if classicRate(float64(8<<20)/float64(classic), a.Classic.K) > 1e-4 || classicRate(float64(8<<20)/float64(classic+1), a.Classic.K) <= 1e-4 {
		t.Errorf("%+v", a.Classic)
	}
	// The bits per key of any number.
	a = askedOf(t, "-p", "0.01")
	if a.Blocked.Keys != nil || a.Classic.Bits != nil || math.Abs(a.Blocked.BitsPerKey-9.93) > 0.01 || math.Abs(a.Classic.BitsPerKey-9.59) > 0.01 {
		t.Errorf("%+v, %+v", a.Classic, a.Blocked)
	}
}

func TestCalcSaysWhyThereIsNoBlockedFilter(t *testing.T) {
	for why, args := range map[string][]string{
		"k = 20, this library has 1 to 16": {"-n", "1k", "-p", "0.01", "-k", "20"},
		"want at least 1e-08":              {"-n", "1k", "-p", "1e-9"},
		"want at least 512, a block":       {"-m", "100", "-p", "0.1"},
		"at most 2^41":                     {"-m", "4T", "-p", "0.1"},
		"even one key has a higher rate":   {"-m", "512", "-p", "1e-8", "-k", "1"},
	} {
		if a := askedOf(t, args...); a.Blocked != nil || !strings.Contains(a.Why, why) {
			t.Errorf("%v: %+v, %q", args, a.Blocked, a.Why)
		}
		if code, out, _ := command("", append([]string{"calc"}, args...)...); code != 0 || !strings.Contains(out, why) {
			t.Errorf("%v: exit %d, %s", args, code, out)
		}
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "7": 7, "1_000": 1000, "0x10": 16, "10M": 10e6, "1.5k": 1500, "1e6": 1e6, "2K": 2000, "1G": 1e9, "3T": 3e12, "0.1k": 100, "1.1M": 1_100_000,
	} {
		if got, err := countUnits.parse(text); got != want || err != nil {
			t.Errorf("%q keys are %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]uint64{
		"64MiB": 64 << 20, "1GB": 1e9, "1kB": 1000, "8K": 8 << 10, "2M": 2 << 20, "1.5 GiB": 3 << 29, "7B": 7, "1TiB": 1 << 40, "100": 100,
	} {
		if got, err := byteUnits.parse(text); got != want || err != nil {
			t.Errorf("%q of memory are %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]float64{
		"0.001": 0.001, "1e-3": 0.001, "0.1%": 0.001, "1 in 1k": 0.001, "1 in 1M": 1e-6, "1/1000": 0.001, "3 in 1_000": 0.003, "50 %": 0.5,
	} {
		if got, err := parseRate(text); math.Abs(got-want) > 1e-15 || err != nil {
			t.Errorf("the rate %q is %g, %v; want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"", "k", "-1", "1.5", "1x", "1kk", "NaN", "Inf", "1e30", "10Mi", "1 000"} {
		if got, err := countUnits.parse(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
	for _, text := range []string{"", "%", "1 in", "1 in x", "a/b", "1%%"} {
		if got, err := parseRate(text); err == nil {
			t.Errorf("%q is read as %g", text, got)
		}
	}
	for n, want := range map[uint64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 19655872: "18.75 MiB", 1 << 40: "1 TiB", 1 << 52: "4096 TiB"} {
		if got := sizeText(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

func TestCalcBadUse(t *testing.T) {
	for _, c := range []struct {
		args []string
		err  string
	}{
		{nil, "too little is known"},
		{[]string{"-n", "1k"}, "too little is known"},
		{[]string{"-n", "1k", "-k", "3"}, "too little is known"},
		{[]string{"--mem", "1M"}, "too little is known"},
		{[]string{"-n", "1", "-m", "1k", "-p", "0.1"}, "leave out what is to be computed"},
		{[]string{"-m", "1k", "--mem", "1k", "-p", "0.1"}, "--mem and --bits are the same"},
		{[]string{"-n", "0", "-p", "0.1"}, "--capacity is 0"},
		{[]string{"-n", "5", "-p", "0"}, "--rate is 0"},
		{[]string{"-n", "5", "--mem", "0"}, "--mem is 0"},
		{[]string{"-p", "1"}, "--rate is 1"},
		{[]string{"-p", "NaN"}, "--rate is NaN"},
		{[]string{"-p", "-0.1"}, "--rate is -0.1"},
		{[]string{"-p", "0.1", "-k", "-1"}, "--probes is -1"},
		{[]string{"-p", "0.1", "-k", "0"}, "--probes is 0"},
		{[]string{"-p", "often"}, "not a number"},
		{[]string{"-n", "1Q", "-p", "0.1"}, "not a number"},
		{[]string{"-p", "0.1", "--mem", "4000000TiB"}, "too much"},
		{[]string{"--table", "-p", "0.1"}, "--table has keys"},
		{[]string{"--plot", "x.png"}, "--plot draws SVG"},
		{[]string{"--plot", filepath.Join("missing", "x.svg")}, "no such file"},
		{[]string{"file"}, "unknown command"},
	} {
		code, out, err := command("", append([]string{"calc"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, out, err, c.err)
		}
	}
}

// Of the smallest and largest answers nothing is lost in formatting.
func TestCalcAtTheEnds(t *testing.T) {
	for _, args := range [][]string{
		{"-n", "1", "-p", "0.999999"}, {"-n", "9000000000000000000", "-m", "1"}, {"-n", "1", "--mem", "1TiB"},
		{"-m", "1", "-p", "0.5"}, {"-m", "512", "-p", "1e-8"}, {"-p", "1e-300"},
	} {
		code, out, err := command("", append([]string{"calc"}, args...)...)
		if code != 0 || err != "" || strings.Contains(out, "NaN") {
			t.Errorf("%v: exit %d, %q\n%s", args, code, err, out)
		}
		fits(t, args, out)
		if code, out, err := command("", append([]string{"calc", "--json"}, args...)...); code != 0 || err != "" || !json.Valid([]byte(out)) {
			t.Errorf("%v as JSON: exit %d, %q\n%s", args, code, err, out)
		}
	}
}

func TestCalcPlots(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rates.svg")
	for _, args := range [][]string{{}, {"-n", "1M", "-p", "0.01"}, {"-p", "1e-9"}, {"-m", "1", "-p", "0.5"}, {"--table"}} {
		code, _, err := command("", append([]string{"calc", "--plot", name}, args...)...)
		svg, _ := os.ReadFile(name)
		if code != 0 || err != "" {
			t.Fatalf("%v: exit %d, %q", args, code, err)
		}
		isPicture(t, svg, "bits per key", "false positive rate", "classic filter", "linebloom, k up to 16")
	}
	if left := contents(t, filepath.Dir(name)); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

// isPicture complains if a file is no SVG with a white ground and the texts.
func isPicture(t *testing.T, svg []byte, texts ...string) {
	t.Helper()
	text := string(svg)
	for _, want := range append(texts, "<svg", "</svg>", "fill:#FFFFFF") {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the picture has coordinates that are not numbers")
	}
}
