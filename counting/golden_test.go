package counting

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

var updateGolden = flag.Bool("update-golden", false, "write the files in testdata anew")

// goldenFilter has keys that are there once and twice, keys that were removed, and
// counters that stick.
func goldenFilter(t *testing.T) *Filter {
	f := newTest(t, blocked.Params{Blocks: 3, K: 11, Seed: 0xfedcba9876543210})
	f.capacity, f.fpRate = 60, 0.125
	for i := range 60 {
		f.AddString(fmt.Sprintf("key %d", i))
		if i%3 == 0 {
			f.AddString(fmt.Sprintf("key %d", i))
		}
	}
	for i := range 20 {
		f.RemoveString(fmt.Sprintf("key %d", i))
		f.AddString("often")
	}
	return f
}

// What is in testdata stays readable for ever, and is what is written.
func TestGoldenFile(t *testing.T) {
	path := filepath.Join("testdata", "golden-v1-counting.lbf")
	f := goldenFilter(t)
	want := encoded(t, f)
	if *updateGolden {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p, want) {
		t.Errorf("%s is not what is written today", path)
	}
	g, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Equal(f) || g.Len() != 80 || g.Stuck() == 0 || g.Capacity() != 60 || g.TargetFPRate() != 0.125 {
		t.Errorf("%s: Len %d, Stuck %d, capacity %d, rate %g", path, g.Len(), g.Stuck(), g.Capacity(), g.TargetFPRate())
	}
	for i := 20; i < 60; i++ {
		if key := fmt.Sprintf("key %d", i); !g.HasString(key) {
			t.Errorf("%s: key %q is lost", path, key)
		}
	}
	h, err := blocked.Peek(bytes.NewReader(p))
	if err != nil || !h.Counting || h.Count != 80 || h.CountState != blocked.Exact || h.Capacity != 60 {
		t.Errorf("Peek: %#v, %v", h, err)
	}
}

// The document has where the counters of its example are.
func TestFormatDocHasTheCounters(t *testing.T) {
	text, err := os.ReadFile("../docs/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	f := newTest(t, blocked.Params{Blocks: 1000, K: 3, Seed: 7})
	empty := encoded(t, f)
	f.AddString("apple")
	found := 0
	for at, b := range encoded(t, f)[:128+320*1000] {
		if at < 128+64*1000 || b == empty[at] {
			continue
		}
		half, bit := "lower", 2*((at-128-64*1000)%256)
		if b == 0x10 {
			half, bit = "upper", bit+1
		}
		row := fmt.Sprintf("\n| %d | %d | %d | %s |\n", bit, bit/2, at, half)
		if block := (at - 128 - 64*1000) / 256; block != 224 || !strings.Contains(string(text), row) {
			t.Errorf("docs/FORMAT.md lacks the row %q, in block %d", row, block)
		}
		found++
	}
	if found != 3 {
		t.Errorf("%d counters, want 3", found)
	}
}
