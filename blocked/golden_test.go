package blocked

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/internal/format"
)

var updateGolden = flag.Bool("update-golden", false, "write the files in testdata anew")

// goldenFile is a file of version 1 of the format. What is in testdata stays
// readable for ever, and is what a writer writes.
type goldenFile struct {
	params   Params
	capacity uint64
	fpRate   float64
	metadata string
	count    uint64
	state    CountState
	keys     []string
}

func goldenFiles() map[string]goldenFile {
	var numbers []string // as AddUint64 adds them
	for x := range uint64(90) {
		numbers = append(numbers, string(binary.LittleEndian.AppendUint64(nil, x*x)))
	}
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprintf("key %d", i))
	}
	return map[string]goldenFile{
		"one-block": {
			params: Params{Blocks: 1, K: 3, Seed: 7},
			count:  2, state: Estimate, keys: []string{"apple", "pear"},
		},
		"k16": {
			params: Params{Blocks: 3, K: 16, Seed: 0xfedcba9876543210},
			count:  90, state: Estimate, keys: numbers,
		},
		// As another writer may place it: blocks at byte 192, behind metadata.
		"metadata": {
			params:   Params{Blocks: 6, K: 6},
			capacity: 300, fpRate: 0.01, metadata: "{\"made\": \"by hand\"}",
			count: 300, state: Exact, keys: words,
		},
		"full": {
			params: Params{Blocks: 1, K: 8, Seed: 1},
			state:  Indeterminate, keys: words,
		},
	}
}

// bytes returns what is in the file.
func (g goldenFile) bytes(t *testing.T) []byte {
	f, err := NewFromParams(g.params)
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings(g.keys)
	if g.state == Indeterminate {
		for i := range f.Blocks() {
			f.Blocks()[i] = 0xff
		}
	}
	if g.metadata == "" {
		p, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	h := format.Header{
		Layout: format.Blocked, K: g.params.K, Seed: g.params.Seed, Blocks: g.params.Blocks,
		Capacity: g.capacity, FPRate: g.fpRate, Metadata: []byte(g.metadata),
		Count: g.count, CountState: format.CountState(g.state),
	}
	h.Place(64)
	var buf bytes.Buffer
	if _, err := format.Encode(&buf, &h, f.View().Snapshot); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestGoldenFilesAreReadAndWritten(t *testing.T) {
	for name, g := range goldenFiles() {
		path := filepath.Join("testdata", "golden-v1-"+name+".lbf")
		want := g.bytes(t)
		if *updateGolden {
			if err := os.MkdirAll("testdata", 0o777); err != nil {
				t.Fatal(err)
			}
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
		var f Filter
		if err := f.UnmarshalBinary(p); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var a AtomicFilter
		if _, err := a.ReadFrom(bytes.NewReader(p)); err != nil || !a.Equal(&f) {
			t.Errorf("%s as an AtomicFilter: %v, or other bits", path, err)
		}
		if f.Params() != g.params || f.Capacity() != g.capacity || f.TargetFPRate() != g.fpRate {
			t.Errorf("%s: %v, capacity %d, rate %g", path, f.Params(), f.Capacity(), f.TargetFPRate())
		}
		for _, key := range g.keys {
			if !f.HasString(key) || !a.HasString(key) {
				t.Errorf("%s: key %q is lost", path, key)
			}
		}
		h, err := Peek(bytes.NewReader(p))
		if err != nil || h.Params != g.params || h.Capacity != g.capacity || h.FPRate != g.fpRate ||
			string(h.Metadata) != g.metadata || h.Count != g.count || h.CountState != g.state ||
			h.Size != uint64(len(p)) || h.InUse {
			t.Errorf("%s: Peek: %v, capacity %d, rate %g, metadata %q, count %d, %v, size %d, in use %v, %v", path,
				h.Params, h.Capacity, h.FPRate, h.Metadata, h.Count, h.CountState, h.Size, h.InUse, err)
		}
	}
}
