package filterfile

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

var updateGolden = flag.Bool("update-golden", false, "write the files in testdata anew")

// A file that Save wrote stays readable for ever, and is what Save writes.
func TestGoldenFileIsOpenedAndSaved(t *testing.T) {
	const metadata = "linebloom golden file, version 1\n"
	words := []string{"apple", "banana", "cherry", "date", "elder", "fig", "grape"}
	f, err := blocked.New(50, 0.001, blocked.WithSeed(42))
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings(words)
	saved := filepath.Join(t.TempDir(), "f.lbf")
	if err := Save(saved, f, []byte(metadata)); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "golden-v1-saved.lbf")
	if *updateGolden {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is saved today", path)
	}
	for _, opts := range []Options{{}, {Verify: VerifyHeader}, {Verify: VerifyLazy}} {
		file, err := Open(path, opts)
		if err != nil {
			t.Fatalf("%+v: %v", opts, err)
		}
		h := file.Header()
		if h.Params != (blocked.Params{Blocks: 2, K: 8, Seed: 42}) || h.Capacity != 50 || h.FPRate != 0.001 ||
			h.Count != 7 || h.CountState != blocked.Estimate || string(h.Metadata) != metadata ||
			h.Size != 4096+2*64+4+16 || h.InUse {
			t.Errorf("%+v: header %#v", opts, h)
		}
		for _, word := range words {
			if !file.HasString(word) {
				t.Errorf("%+v: %q is lost", opts, word)
			}
		}
		if file.HasString("zucchini") || !file.Equal(f) || file.Err() != nil {
			t.Errorf("%+v: another filter, %v", opts, file.Err())
		}
		if err := file.Close(); err != nil {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}
