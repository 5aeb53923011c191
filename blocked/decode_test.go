package blocked

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/linebloom/linebloom/internal/format"
)

// decoders are the ways to read a filter, by what they do.
var decoders = map[string]func(p []byte) error{
	"Filter.UnmarshalBinary":       func(p []byte) error { return new(Filter).UnmarshalBinary(p) },
	"Filter.UnmarshalText":         func(p []byte) error { return new(Filter).UnmarshalText(p) },
	"Filter.ReadFrom":              func(p []byte) error { _, err := new(Filter).ReadFrom(bytes.NewReader(p)); return err },
	"AtomicFilter.UnmarshalBinary": func(p []byte) error { return new(AtomicFilter).UnmarshalBinary(p) },
	"AtomicFilter.UnmarshalText":   func(p []byte) error { return new(AtomicFilter).UnmarshalText(p) },
	"AtomicFilter.ReadFrom":        func(p []byte) error { _, err := new(AtomicFilter).ReadFrom(bytes.NewReader(p)); return err },
	"Peek":                         func(p []byte) error { _, err := Peek(bytes.NewReader(p)); return err },
}

// withHeader returns p, a filter without metadata, with a header that was changed
// and has right checksums.
func withHeader(p []byte, change func(h []byte)) []byte {
	p = bytes.Clone(p)
	change(p[:format.HeaderBytes])
	le := binary.LittleEndian
	sum := format.Checksum(p[:60])
	le.PutUint32(p[60:], sum)
	le.PutUint32(p[124:], format.Checksum(p[64:124]))
	le.PutUint32(p[len(p)-12:], sum)
	return p
}

// promising returns the header of a filter of so many blocks.
func promising(layout format.Layout, blocks uint64) []byte {
	h := format.Header{Layout: layout, K: 8, Blocks: blocks, CountState: format.Exact}
	h.Place(64)
	return h.Append(nil)
}

// What is damaged is refused by every decoder, and what was in the filter before
// stays.
func TestFailedDecodesLeaveTheFilterAlone(t *testing.T) {
	f, hashes := filled(t, Params{Blocks: 20, K: 7, Seed: 1})
	f.capacity, f.fpRate = 1000, 0.02
	a, err := NewAtomicFromParams(f.Params())
	if err != nil {
		t.Fatal(err)
	}
	a.AddHashes(hashes)
	a.capacity, a.fpRate = f.capacity, f.fpRate
	want := encoded(t, f)

	other, _ := filled(t, Params{Blocks: 3, K: 4})
	whole := encoded(t, other)
	if err := new(Filter).UnmarshalBinary(whole); err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, whole[:100], whole[:128], append(bytes.Clone(whole), 0)}
	for at := range whole {
		p := bytes.Clone(whole)
		p[at] ^= 0x10
		damaged = append(damaged, whole[:at], p)
	}
	for _, p := range damaged {
		for name, g := range map[string]decoder{"Filter": f, "AtomicFilter": a} {
			text := base64.StdEncoding.AppendEncode(nil, p)
			n, err := g.ReadFrom(bytes.NewReader(p))
			if n > int64(len(p)) {
				t.Errorf("%s.ReadFrom: %d bytes of %d", name, n, len(p))
			}
			for how, err := range map[string]error{
				"UnmarshalBinary": g.UnmarshalBinary(p),
				"UnmarshalText":   g.UnmarshalText(text),
				"ReadFrom":        err,
			} {
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrUnclean) {
					t.Errorf("%s.%s of %d damaged bytes: %v", name, how, len(p), err)
				}
			}
			if !bytes.Equal(encoded(t, g), want) {
				t.Fatalf("%s: %d damaged bytes changed it", name, len(p))
			}
		}
	}
}

// Text is refused if it is not base64, or not that of a filter. Line ends in it do
// no harm.
func TestDecodesTextWithLineEnds(t *testing.T) {
	f, _ := filled(t, Params{Blocks: 3, K: 4})
	text, err := f.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var g Filter
	lines := append(append(bytes.Clone(text[:76]), '\r', '\n'), text[76:]...)
	if err := g.UnmarshalText(append(lines, '\n')); err != nil || !g.Equal(f) {
		t.Errorf("text in lines: %v, or another filter", err)
	}
	for what, text := range map[string][]byte{
		"no text":    nil,
		"not base64": append(bytes.Clone(text), '!'),
		"cut":        text[:len(text)-4],
		"twice":      append(bytes.Clone(text), text...),
		"binary":     encoded(t, f),
	} {
		if err := g.UnmarshalText(text); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", what, err)
		}
	}
}

// Headers with right checksums and bad numbers are refused before anything else is
// read.
func TestBadHeadersAreRefusedAtOnce(t *testing.T) {
	f, _ := filled(t, Params{Blocks: 3, K: 4})
	whole := encoded(t, f)
	put := binary.LittleEndian.PutUint64
	for what, change := range map[string]func(h []byte){
		"2^33 blocks":  func(h []byte) { put(h[24:], 1<<33) },
		"no block":     func(h []byte) { put(h[24:], 0) },
		"k = 0":        func(h []byte) { h[12] = 0 },
		"k = 17":       func(h []byte) { h[12] = 17 },
		"NaN":          func(h []byte) { put(h[40:], math.Float64bits(math.NaN())) },
		"hash 2":       func(h []byte) { h[11] = 2 },
		"layout 3":     func(h []byte) { h[10] = 3 },
		"version 2":    func(h []byte) { h[8] = 2 },
		"offset 2^31":  func(h []byte) { put(h[48:], 1<<31) },
		"reserved":     func(h []byte) { h[13] = 1 },
		"metadata 1GB": func(h []byte) { binary.LittleEndian.PutUint32(h[52:], 1<<30) },
	} {
		p := withHeader(whole, change)
		for how, decode := range decoders {
			if err := decode(p); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %s: %v", what, how, err)
			}
		}
		if n, err := new(Filter).ReadFrom(bytes.NewReader(p)); n != format.HeaderBytes {
			t.Errorf("%s: ReadFrom read %d bytes, want %d, %v", what, n, format.HeaderBytes, err)
		}
	}
	if err := new(Filter).UnmarshalBinary(withHeader(whole, func([]byte) {})); err != nil {
		t.Errorf("an unchanged header: %v", err)
	}
}

// A filter with counters is not taken for one without.
func TestOtherLayoutsAreRefused(t *testing.T) {
	h := format.Header{Layout: format.Counting, K: 8, Blocks: 300, CountState: format.Exact}
	h.Place(64)
	var buf bytes.Buffer
	if _, err := format.Encode(&buf, &h, func(p []byte, at uint64) { clear(p) }); err != nil {
		t.Fatal(err)
	}
	for how, decode := range decoders {
		p := buf.Bytes()
		if how == "Filter.UnmarshalText" || how == "AtomicFilter.UnmarshalText" {
			p = base64.StdEncoding.AppendEncode(nil, p)
		}
		if err := decode(p); how == "Peek" && err != nil || how != "Peek" &&
			(!errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "package counting")) {
			t.Errorf("%s: %v", how, err)
		}
	}
	f, _ := filled(t, Params{Blocks: 3, K: 4})
	for _, p := range [][]byte{buf.Bytes(), encoded(t, f)} {
		if h, err := Peek(bytes.NewReader(p)); err != nil || h.Counting != (&p[0] == &buf.Bytes()[0]) {
			t.Errorf("Peek: %#v, %v", h, err)
		}
	}
}

func TestFiltersInUseAreRefused(t *testing.T) {
	f, _ := filled(t, Params{Blocks: 3, K: 4})
	p := withHeader(encoded(t, f), func(h []byte) { h[73] = 1 })
	p[124] ^= 1 // nobody keeps it right meanwhile
	for how, decode := range decoders {
		in := p
		if how == "Filter.UnmarshalText" || how == "AtomicFilter.UnmarshalText" {
			in = base64.StdEncoding.AppendEncode(nil, p)
		}
		if err := decode(in); how == "Peek" && err != nil || how != "Peek" && !errors.Is(err, ErrUnclean) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if h, err := Peek(bytes.NewReader(p)); err != nil || !h.InUse || h.Params != f.Params() {
		t.Errorf("Peek: %#v, %v", h, err)
	}
}

// Peek reads the header and what it says of metadata and padding, and leaves the
// blocks to others.
func TestPeekReadsTheHeaderAlone(t *testing.T) {
	for _, metadata := range []int{0, 5, 64, format.MaxMetadata} {
		for _, align := range []int{64, format.FileAlign} {
			h := format.Header{Layout: format.Blocked, K: 8, Seed: 9, Blocks: 1 << 32, Capacity: 3, FPRate: 0.5,
				Count: 2, CountState: format.Exact, Metadata: make([]byte, metadata)}
			h.Place(align)
			p := h.Append(nil)
			// Whoever reads a byte more gets an error.
			r := io.MultiReader(bytes.NewReader(p), iotest.ErrReader(errors.New("a byte too many")))
			got, err := Peek(r)
			if err != nil || got.Params != (Params{Blocks: 1 << 32, K: 8, Seed: 9}) || got.Capacity != 3 || got.FPRate != 0.5 ||
				got.Count != 2 || got.CountState != Exact || len(got.Metadata) != metadata || got.Size != h.TotalBytes() || got.InUse {
				t.Errorf("%d bytes of metadata: %#v, %v", metadata, got, err)
			}
			for _, n := range []int{0, 1, 127, 128, len(p) - 1} {
				if _, err := Peek(bytes.NewReader(p[:n])); n < len(p) && !errors.Is(err, ErrCorrupt) {
					t.Errorf("the first %d bytes of %d: %v, want ErrCorrupt", n, len(p), err)
				}
			}
		}
	}
	bad := errors.New("bad cable")
	if _, err := Peek(iotest.ErrReader(bad)); !errors.Is(err, bad) {
		t.Errorf("Peek: %v, want %v", err, bad)
	}
}

// Whatever a megabyte of input says, no decoder allocates much more than that.
func TestDecodersAllocateWhatArrives(t *testing.T) {
	const size = 1_000_000
	zeros := make([]byte, size)
	f, _ := filled(t, Params{Blocks: size/64 - 10, K: 4})
	inputs := map[string][]byte{
		"zeros":        zeros,
		"a filter":     encoded(t, f),
		"half of one":  encoded(t, f)[:size/2],
		"256 GiB":      append(promising(format.Blocked, 1<<32), zeros[:size-128]...),
		"a bit more":   append(promising(format.Blocked, 1<<14+1), zeros[:size-128]...),
		"counters":     append(promising(format.Counting, 1<<32), zeros[:size-128]...),
		"2 GiB":        append(promising(format.Blocked, 1<<25-2000), zeros[:size-128]...),
		"the header":   promising(format.Blocked, 1<<32),
		"metadata":     withMetadata(1 << 32),
		"many in line": bytes.Repeat(promising(format.Blocked, 1), size/128),
		"ones":         bytes.Repeat([]byte{0xff}, size),
	}
	for what, p := range inputs {
		inputs["text of "+what] = base64.StdEncoding.AppendEncode(nil, p[:min(len(p), size/4*3)])
	}
	for what, p := range inputs {
		if len(p) > size {
			t.Fatalf("%s has %d bytes", what, len(p))
		}
		for how, decode := range decoders {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := decode(p)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
				t.Errorf("%s: %s allocates %d bytes for %d, %v", what, how, n, len(p), err)
			}
		}
	}
}

// withMetadata returns the header of a filter with as much metadata as there may
// be.
func withMetadata(blocks uint64) []byte {
	h := format.Header{Layout: format.Blocked, K: 8, Blocks: blocks, CountState: format.Exact,
		Metadata: make([]byte, format.MaxMetadata)}
	h.Place(format.FileAlign)
	return h.Append(nil)
}
