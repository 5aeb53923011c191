package foreign

import (
	"bytes"
	"os"
	"testing"
)

// fuzzReader reads any bytes: no panic, no large allocation, and what is read can
// be asked and becomes a container that is the same.
func fuzzReader(f *testing.F, seeds ...[]byte) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		g, err := Read(bytes.NewReader(file), Options{MaxBytes: 1 << 20})
		if err != nil {
			return
		}
		if uint64(len(g.array)) > 1<<20 || uint64(len(g.array)) < (g.Bits+7)/8 {
			t.Fatalf("%d bytes for %d bits", len(g.array), g.Bits)
		}
		keys := [][]byte{nil, []byte("apple"), file}
		for _, name := range append(g.FittingHashes(keys), g.Hash()) {
			if name != "" && g.SetHash(name) != nil {
				t.Fatalf("hash %q cannot be set", name)
			}
		}
		var b bytes.Buffer
		if _, err := g.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		h, err := Read(&b, Options{MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			if g.Has(key) != h.Has(key) {
				t.Fatalf("answers differ for %q", key)
			}
		}
	})
}

func testdata(f *testing.F, name string) []byte {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

func FuzzDCSO(f *testing.F) { fuzzReader(f, testdata(f, "tiny.bloom"), testdata(f, "tiny.bloom.gz")) }

func FuzzPybloom(f *testing.F) {
	f.Add(testdata(f, "mike.b64"))
	var seeds [][]byte
	for _, l := range layouts {
		seeds = append(seeds, made(l, hashes[0], someKeys))
	}
	fuzzReader(f, append(seeds, text(seeds[0]))...)
}

func FuzzContainer(f *testing.F) {
	var seeds [][]byte
	for _, name := range []string{"tiny.bloom", "mike.b64"} {
		g := open(f, name)
		var b bytes.Buffer
		g.WriteTo(&b)
		seeds = append(seeds, b.Bytes())
	}
	fuzzReader(f, seeds...)
}
