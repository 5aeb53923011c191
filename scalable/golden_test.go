package scalable

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

var updateGolden = flag.Bool("update-golden", false, "write the files in testdata anew")

// Files of version 1 of the format stay readable for ever, and are what a writer
// writes.
func TestGoldenFileIsReadAndWritten(t *testing.T) {
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprintf("key %d", i))
	}
	f, err := New(10, 0.01, blocked.WithSeed(0xfedcba9876543210))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddStrings(words); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "golden-v1-chain.lbf")
	if *updateGolden {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, encoded(t, f), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p, encoded(t, f)) {
		t.Errorf("%s is not what is written today", path)
	}
	g, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if g.Links() != 3 || g.Len() != 300 || g.Capacity() != 1110 || g.Seed() != 0xfedcba9876543210 || g.TargetFPRate() != 0.01 {
		t.Errorf("%d links, %d of %d keys, seed %#x, rate %g", g.Links(), g.Len(), g.Capacity(), g.Seed(), g.TargetFPRate())
	}
	for _, key := range words {
		if !g.HasString(key) {
			t.Errorf("key %q is lost", key)
		}
	}
}
