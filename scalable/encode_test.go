package scalable

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

func encoded(t testing.TB, f *Filter) []byte {
	t.Helper()
	p, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// roundTrips are the ways to write f and to read it again as g.
var roundTrips = map[string]func(f, g *Filter) error{
	"MarshalBinary": func(f, g *Filter) error {
		p, err := f.MarshalBinary()
		return errors.Join(err, g.UnmarshalBinary(p))
	},
	"AppendBinary": func(f, g *Filter) error {
		p, err := f.AppendBinary([]byte("prefix"))
		return errors.Join(err, g.UnmarshalBinary(p[6:]))
	},
	"MarshalText": func(f, g *Filter) error {
		p, err := f.MarshalText()
		return errors.Join(err, g.UnmarshalText(p))
	},
	"WriteTo": func(f, g *Filter) error {
		var buf bytes.Buffer
		n, err := f.WriteTo(&buf)
		m, err2 := g.ReadFrom(iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(buf.Bytes()))))
		if n != m || n != int64(buf.Len()) {
			return errors.New("WriteTo and ReadFrom count differently")
		}
		return errors.Join(err, err2)
	},
	"json": func(f, g *Filter) error {
		p, err := json.Marshal(f)
		return errors.Join(err, json.Unmarshal(p, g))
	},
	"gob": func(f, g *Filter) error {
		var buf bytes.Buffer
		return errors.Join(gob.NewEncoder(&buf).Encode(f), gob.NewDecoder(&buf).Decode(g))
	},
}

// What comes back has the same answers, goes on growing in the same way, and is
// written as the same bytes.
func TestRoundTripsKeepEverything(t *testing.T) {
	for _, n := range []int{0, 7, 10, 11, 3000, 20_000} {
		f, hashes := made(t, 10, 0.01, n, blocked.WithSeed(0xfedcba9876543210))
		want := encoded(t, f)
		var all []*Filter
		for how, trip := range roundTrips {
			g := new(Filter)
			if err := trip(f, g); err != nil {
				t.Fatalf("%d keys by %s: %v", n, how, err)
			}
			if g.Len() != f.Len() || g.Capacity() != f.Capacity() || g.Links() != f.Links() || g.Bytes() != f.Bytes() ||
				g.Seed() != f.Seed() || g.TargetFPRate() != f.TargetFPRate() || !bytes.Equal(encoded(t, g), want) {
				t.Fatalf("%d keys by %s: another filter", n, how)
			}
			dst := make([]uint64, len(hashes)/64+1)
			if g.HasHashes(dst, hashes) != n {
				t.Fatalf("%d keys by %s: keys are lost", n, how)
			}
			all = append(all, g)
		}
		more := make([]uint64, 2*n+100)
		for i := range more {
			more[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		if err := f.AddHashes(more); err != nil {
			t.Fatal(err)
		}
		for _, g := range all {
			if err := g.AddHashes(more); err != nil || !bytes.Equal(encoded(t, g), encoded(t, f)) {
				t.Fatalf("%d keys: %v, or it grows in another way", n, err)
			}
		}
	}
}

// The bound of the receiver stays, since the bytes know of none.
func TestDecodedFiltersObeyTheBoundOfTheReceiver(t *testing.T) {
	f, _ := made(t, 10, 0.01, 1000)
	var g Filter
	g.SetMaxBytes(f.Bytes())
	if err := g.UnmarshalBinary(encoded(t, f)); err != nil {
		t.Fatal(err)
	}
	var err error
	for x := uint64(0); err == nil; x++ {
		err = g.AddUint64(x)
	}
	if !errors.Is(err, blocked.ErrTooLarge) || g.Bytes() != f.Bytes() || g.Len() != g.Capacity() {
		t.Errorf("%v, %d bytes, %d keys of %d", err, g.Bytes(), g.Len(), g.Capacity())
	}
}

// Keys that are added while a filter is written are counted after its blocks, so
// that a reader never thinks there is more room than there is.
func TestKeysAddedMeanwhileAreCounted(t *testing.T) {
	f, _ := made(t, 100, 0.01, 300)
	s := f.stored(nil, blockBytes)
	before := f.Len()
	body := make([]byte, s.header.BodyBytes())
	half := len(body) / 2 / 8 * 8
	s.read(body[:half], 0)
	for x := range uint64(10) {
		if err := f.AddUint64(x); err != nil {
			t.Fatal(err)
		}
	}
	newest := f.chain.Load().newest()
	if newest.reserve(3) != 3 { // of somebody who has set some bits
		t.Fatal("no places")
	}
	s.read(body[half:], uint64(half))
	links, err := s.header.ParseLinks(body)
	if err != nil {
		t.Fatal(err)
	}
	if links[1].Count != newest.added.Load()+3 || s.header.Count != before {
		t.Errorf("%d keys, and %d in the header, want %d and %d", links[1].Count, s.header.Count, newest.added.Load()+3, before)
	}
}

// Whatever moment a filter is written at, it comes back with every key that was in
// it before, and grows on.
func TestWritingBesideAdds(t *testing.T) {
	f, err := New(1, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(100_000 / detector)
	if testing.Short() {
		n = 3000
	}
	var done atomic.Uint64
	together(func(w int) {
		if w == 0 {
			for x := range n {
				if err := f.AddUint64(x); err != nil {
					t.Error(err)
				}
				done.Store(x + 1)
			}
			return
		}
		for done.Load() < n && !t.Failed() {
			before := done.Load()
			var buf bytes.Buffer
			var g Filter
			if _, err := f.WriteTo(&buf); err != nil {
				t.Error(err)
			}
			if _, err := g.ReadFrom(&buf); err != nil {
				t.Error(err)
				return
			}
			for x := range before {
				if !g.HasUint64(x) {
					t.Errorf("key %d of %d is lost", x, before)
					return
				}
			}
			if g.Len() > g.Capacity() || g.Len() < before-before/1000 {
				t.Errorf("%d keys of %d after %d", g.Len(), g.Capacity(), before)
			}
			if err := g.AddUint64(1 << 50); err != nil {
				t.Error(err)
			}
		}
	})
}

// Others refuse a chain and say who reads it, and a chain refuses others.
func TestOtherLayoutsAreRefused(t *testing.T) {
	f, _ := made(t, 10, 0.01, 1000)
	path := filepath.Join(t.TempDir(), "chain.lbf")
	if err := f.Save(path, []byte("of the user")); err != nil {
		t.Fatal(err)
	}
	p := encoded(t, f)
	_, openErr := filterfile.Open(path, filterfile.Options{})
	_, sharedErr := filterfile.OpenShared(path)
	_, readErr := new(blocked.Filter).ReadFrom(bytes.NewReader(p))
	for how, err := range map[string]error{
		"Filter.UnmarshalBinary":       new(blocked.Filter).UnmarshalBinary(p),
		"AtomicFilter.UnmarshalBinary": new(blocked.AtomicFilter).UnmarshalBinary(p),
		"Filter.ReadFrom":              readErr,
		"filterfile.Open":              openErr,
		"filterfile.OpenShared":        sharedErr,
	} {
		if !errors.Is(err, blocked.ErrUnsupported) || !strings.Contains(err.Error(), "layout 3") || !strings.Contains(err.Error(), "package scalable") {
			t.Errorf("%s: %v", how, err)
		}
	}
	h, err := blocked.Peek(bytes.NewReader(p))
	if err != nil || h.Links != f.Links() || h.Capacity != 10 || h.FPRate != 0.01 || h.Count != f.Len() ||
		h.CountState != blocked.Exact || h.Blocks*64 != f.Bytes() || h.Size != uint64(len(p)) {
		t.Errorf("Peek: %#v, %v", h, err)
	}
	one, err := blocked.New(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	p, err = one.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UnmarshalBinary(p); !errors.Is(err, blocked.ErrUnsupported) || !strings.Contains(err.Error(), "package blocked") {
		t.Errorf("a blocked filter as a chain: %v", err)
	}
}

func TestFilesComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.lbf")
	f, hashes := made(t, 10, 0.001, 5000)
	for _, metadata := range [][]byte{nil, []byte("of the user"), make([]byte, format.MaxMetadata)} {
		if err := f.Save(path, metadata); err != nil {
			t.Fatal(err)
		}
		g, err := Open(path)
		if err != nil || !bytes.Equal(encoded(t, g), encoded(t, f)) {
			t.Fatalf("%v, or another filter", err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := blocked.Peek(file)
		file.Close()
		if err != nil || !bytes.Equal(h.Metadata, metadata) {
			t.Errorf("%d bytes of metadata: %v, or others", len(metadata), err)
		}
	}
	g, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hashes {
		if !g.HasHash(h) {
			t.Fatal("a key is lost")
		}
	}
	if err := f.Save(path, make([]byte, format.MaxMetadata+1)); !errors.Is(err, blocked.ErrTooLarge) {
		t.Errorf("too much metadata: %v", err)
	}
	if err := f.Save(filepath.Join(path, "no", "folder"), nil); err == nil || !strings.HasPrefix(err.Error(), "linebloom: ") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, blocked.ErrCorrupt) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("a cut file: %v", err)
	}
}

// shortWriter fails after so many bytes.
type shortWriter int

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), int(*w))
	*w -= shortWriter(n)
	if n < len(p) {
		return n, io.ErrClosedPipe
	}
	return n, nil
}

func TestErrorsOfWritersComeThrough(t *testing.T) {
	f, _ := made(t, 10, 0.01, 500)
	for n := range len(encoded(t, f)) {
		w := shortWriter(n)
		if m, err := f.WriteTo(&w); m != int64(n) || !errors.Is(err, io.ErrClosedPipe) {
			t.Fatalf("room for %d bytes: %d, %v", n, m, err)
		}
	}
}

// The body begins with the blocks of the first link, as the document says, and ends
// with the records.
func TestBodyIsAsTheDocumentSays(t *testing.T) {
	f, _ := made(t, 100, 0.01, 1500)
	h, body, err := format.DecodeBytes(encoded(t, f))
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	var records []format.Link
	for _, l := range f.chain.Load().links {
		p := l.filter.Params()
		words := mem.Words(int(p.Bytes() / 8))
		l.filter.View().Snapshot(mem.Bytes(words), 0)
		want = append(want, mem.Bytes(words)...)
		records = append(records, format.Link{Blocks: p.Blocks, K: p.K, Capacity: l.capacity, FPRate: l.fpRate, Count: l.added.Load()})
	}
	want = format.AppendLinks(want, records)
	if !slices.Equal(body, want) || h.Links != len(records) || h.Layout != format.Chain {
		t.Errorf("%d links, layout %d, or another body", h.Links, h.Layout)
	}
}
