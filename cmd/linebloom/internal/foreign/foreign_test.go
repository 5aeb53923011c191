package foreign

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/linebloom/linebloom/blocked"
)

func open(t testing.TB, name string) *Filter {
	t.Helper()
	f, err := Open(filepath.Join("testdata", name), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func words(texts ...string) (keys [][]byte) {
	for _, text := range texts {
		keys = append(keys, []byte(text))
	}
	return keys
}

// The two texts that were published with the first releases.
func TestTheSeedFiltersOpen(t *testing.T) {
	for _, c := range []struct {
		file            string
		bits            uint64
		k               int
		capacity        uint64
		rate            float64
		present, absent []string
	}{
		{"fruit.b64", 95_850_589, 7, 10_000_000, 0.01, []string{"apple", "banana", "orange", "pear"}, []string{"mike", "", "Apple"}},
		{"mike.b64", 2411, 17, 100, 0.1, []string{"MIKE"}, []string{"mike", "Mike"}},
	} {
		f := open(t, c.file)
		if f.Format != Pybloom || f.Hash() != "" || f.Bits != c.bits || f.K != c.k || f.Capacity != c.capacity || f.FPRate != c.rate {
			t.Errorf("%s: %s, hash %q, m %d, k %d, for %d keys at %g", c.file, f.Format, f.Hash(), f.Bits, f.K, f.Capacity, f.FPRate)
		}
		if !f.Has([]byte(c.absent[0])) {
			t.Errorf("%s: a certain no before the hash is known", c.file)
		}
		if names := f.FittingHashes(words(c.present...)); !slices.Equal(names, []string{"djb"}) {
			t.Fatalf("%s: hashes %v fit", c.file, names)
		}
		if names := f.FittingHashes(words(c.absent...)); names != nil {
			t.Errorf("%s: hashes %v fit absent words", c.file, names)
		}
		if err := f.SetHash("djb"); err != nil {
			t.Fatal(err)
		}
		for _, word := range c.present {
			if !f.Has([]byte(word)) {
				t.Errorf("%s: %q is missing", c.file, word)
			}
		}
		for _, word := range c.absent {
			if f.Has([]byte(word)) {
				t.Errorf("%s: %q is there", c.file, word)
			}
		}
		if n := f.EstimateCount(); math.Abs(n-float64(len(c.present))) > 0.1 {
			t.Errorf("%s: about %g keys, want %d", c.file, n, len(c.present))
		}
	}
}

// Files that DCSO's command has made.
func TestFilesOfDCSOOpen(t *testing.T) {
	for name, data := range map[string]uint64{"tiny.bloom": 7, "tiny.bloom.gz": 0} {
		f := open(t, name)
		if f.Format != DCSO || f.Hash() != "fnv1" || f.Count != 6 || f.Data != data {
			t.Errorf("%s: %+v", name, f)
		}
		keys := words("apple", "banana", "orange", "pear", "", "last", "mike", "cherry", "apple ")
		answers := []uint64{math.MaxUint64}
		if hits := f.HasKeys(answers, keys); hits != 6 || answers[0] != 0x3f {
			t.Errorf("%s: %d hits, %b", name, hits, answers)
		}
	}
	f := open(t, "tiny.bloom")
	if f.Bits != 958 || f.K != 7 || f.Capacity != 100 || f.FPRate != 0.01 {
		t.Errorf("%+v", f)
	}
}

// made returns a file of pybloomfiltermmap with a layout and a hash, and its keys.
func made(l layout, h hash, keys [][]byte) []byte {
	const bits, k = 5000, 4
	start := []byte(pybloomMagic)
	start = binary.LittleEndian.AppendUint64(start, bits)
	start = binary.LittleEndian.AppendUint32(start, uint32(l.size))
	header := make([]byte, l.size)
	binary.LittleEndian.PutUint64(header[l.capacity:], 500)
	binary.LittleEndian.PutUint64(header[l.rate:], math.Float64bits(0.05))
	binary.LittleEndian.PutUint32(header[l.k:], k)
	if l.capacity > 0 { // the count before it, and a pointer in memory
		header[0] = 1
		header[l.capacity-1] = 0x7f
	}
	array := make([]byte, (bits+7)/8)
	for i := range k {
		seed := uint32(0x9e3779b9) * uint32(i+1)
		binary.LittleEndian.PutUint32(header[l.seeds+4*i:], seed)
		for _, key := range keys {
			at := h.sum(seed, key) % bits
			array[at/8] |= 1 << (at % 8)
		}
	}
	file := append(start, header...)
	file = append(file, make([]byte, (256-len(file)%256)%256)...)
	return append(file, array...)
}

var someKeys = func() (keys [][]byte) {
	for i := range 100 {
		keys = append(keys, []byte(strings.Repeat(fmt.Sprint(i), i%7)))
	}
	return keys
}()

func TestEveryLayoutAndHashIsRead(t *testing.T) {
	for _, l := range layouts {
		for _, h := range hashes {
			f, err := Read(bytes.NewReader(made(l, h, someKeys)), Options{})
			if err != nil {
				t.Fatalf("%+v: %v", l, err)
			}
			if f.Capacity != 500 || f.FPRate != 0.05 || f.K != 4 {
				t.Errorf("%+v: read as for %d keys at %g, k = %d", l, f.Capacity, f.FPRate, f.K)
			}
			if names := f.FittingHashes(someKeys); !slices.Equal(names, []string{h.name}) {
				t.Errorf("%+v: hashes %v fit, want %s", l, names, h.name)
			}
		}
	}
}

// Values of the hashes that Python has computed: by its hashlib, and by programs
// written from the published definitions, of which the one of MurmurHash3 has the
// values that its bindings document. xxHash's is its own published one.
func TestHashesHaveTheirPublishedValues(t *testing.T) {
	for _, c := range []struct {
		name string
		seed uint32
		key  string
		want uint64
	}{
		{"djb", 0, "", 5381},
		{"djb", 0, "a", 177670},
		{"djb", 1, "MIKE", 2088136874},
		{"md5", 0x04030201, "apple", 0xf3215e7b},
		{"sha512", 0x04030201, "apple", 0xec360706},
		{"superfast", 7, "", 0},
		{"superfast", 7, "apple", 0x584ac983},
		{"superfast", 7, "pear", 0xa9038f78},
		{"superfast", 7, "ab", 0x9e7f1405},
		{"superfast", 7, "\xff\xfe\xfd", 0x9009921b},
		{"murmur64", 42, "foo", 0x562f28898dc0c95b},
		{"murmur32", 42, "foo", 0xdbefe1d2},
		{"murmur64", 0x9e3779b9, "a longer key than one block", 0xf2197d148910f2d0},
		{"murmur32", 0x9e3779b9, "a longer key than one block", 0x7b098fc4},
		{"xxh64", 0, "", 0xef46db3751d8e999},
	} {
		if got := hashNamed(c.name).sum(c.seed, []byte(c.key)); got != c.want {
			t.Errorf("%s(%#x, %q) is %#x, want %#x", c.name, c.seed, c.key, got, c.want)
		}
	}
}

// text puts bytes into the text that pybloomfiltermmap makes of them.
func text(b []byte) []byte {
	for range 2 {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(b)
		w.Close()
		b = []byte(base64.StdEncoding.EncodeToString(z.Bytes()))
	}
	return b
}

func zipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

func TestAContainerIsTheSameFilter(t *testing.T) {
	for _, name := range []string{"mike.b64", "tiny.bloom"} {
		f := open(t, name)
		if f.Format == Pybloom {
			f.SetHash("djb")
		}
		var b bytes.Buffer
		if n, err := f.WriteTo(&b); err != nil || n != int64(b.Len()) {
			t.Fatal(n, err)
		}
		g, err := Read(bytes.NewReader(b.Bytes()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if g.Format != f.Format || g.Hash() != f.Hash() || g.Bits != f.Bits || g.K != f.K || g.Capacity != f.Capacity ||
			g.FPRate != f.FPRate || g.Count != f.Count || !slices.Equal(g.seeds, f.seeds) || g.FillRatio() != f.FillRatio() {
			t.Errorf("%s: %+v became %+v", name, f, g)
		}
		for _, key := range slices.Concat(someKeys, words("MIKE", "apple", "last", "")) {
			if f.Has(key) != g.Has(key) {
				t.Errorf("%s: answers differ for %q", name, key)
			}
		}
		// Every single change is seen.
		for i := range b.Bytes() {
			damaged := bytes.Clone(b.Bytes())
			damaged[i] ^= 0x40
			if _, err := Read(bytes.NewReader(damaged), Options{}); err == nil {
				t.Errorf("%s: a container with a changed byte %d is read", name, i)
			}
		}
	}
}

func TestBadFilesGiveClearErrors(t *testing.T) {
	dcso, err := os.ReadFile("testdata/tiny.bloom")
	if err != nil {
		t.Fatal(err)
	}
	pybloom := made(layouts[0], hashes[0], someKeys)
	changed := func(b []byte, at int, to ...byte) []byte {
		b = bytes.Clone(b)
		copy(b[at:], to)
		return b
	}
	container := func() []byte {
		var b bytes.Buffer
		open(t, "tiny.bloom").WriteTo(&b)
		return b.Bytes()
	}()
	many := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}
	for _, c := range []struct {
		name string
		file []byte
		is   error
		says string
	}{
		{"nothing", nil, ErrUnknown, "known format"},
		{"text", []byte("some text\n"), ErrUnknown, "known format"},
		{"text in gzip", zipped([]byte("some text\n")), ErrUnknown, "known format"},
		{"another version of DCSO", changed(dcso, 0, 2), ErrUnknown, "known format"},
		{"a DCSO header cut short", dcso[:40], blocked.ErrCorrupt, "it ends within the header"},
		{"DCSO bits cut short", dcso[:60], blocked.ErrCorrupt, "it ends within the bits"},
		{"DCSO without bits", changed(dcso, 32, make([]byte, 8)...), blocked.ErrCorrupt, "0 bits"},
		{"DCSO with too many bits", changed(dcso, 32, many...), blocked.ErrTooLarge, "allows"},
		{"DCSO without probes", changed(dcso, 24, 0), blocked.ErrCorrupt, "0 probes"},
		{"DCSO with too many probes", changed(dcso, 24, many...), blocked.ErrCorrupt, "probes"},
		{"DCSO with a rate of NaN", changed(dcso, 16, many[0], 0, 0, 0, 0, 0, 0xf8, 0x7f), blocked.ErrCorrupt, "rate of NaN"},
		{"DCSO in damaged gzip", changed(zipped(dcso), 12, 0xff, 0xff, 0xff), blocked.ErrCorrupt, "corrupt"},
		{"DCSO in cut gzip", zipped(dcso)[:60], blocked.ErrCorrupt, "it ends within"},
		{"DCSO in gzip with a wrong sum", changed(zipped(dcso), len(zipped(dcso))-8, 1, 2, 3), blocked.ErrCorrupt, "data behind the filter"},
		{"an unknown header", changed(pybloom, 17, 0, 2), blocked.ErrUnsupported, "header of 512 bytes"},
		{"a negative header", changed(pybloom, 17, 0xff, 0xff, 0xff, 0xff), blocked.ErrUnsupported, "header of -1 bytes"},
		{"a pybloom magic alone", pybloom[:9], blocked.ErrCorrupt, "it ends within the header"},
		{"a pybloom header cut short", pybloom[:800], blocked.ErrCorrupt, "it ends within the header"},
		{"a pybloom preamble cut short", pybloom[:1100], blocked.ErrCorrupt, "it ends within the header"},
		{"pybloom bits cut short", pybloom[:len(pybloom)-1], blocked.ErrCorrupt, "it ends within the bits"},
		{"pybloom with more bytes", append(bytes.Clone(pybloom), 0), blocked.ErrCorrupt, "more bytes"},
		{"pybloom with too many bits", changed(pybloom, 9, many...), blocked.ErrTooLarge, "allows"},
		{"pybloom without probes", changed(pybloom, 21+16, 0), blocked.ErrCorrupt, "0 probes"},
		{"a text cut short", text(pybloom)[:40], blocked.ErrCorrupt, "it ends within"},
		{"a text that goes on", append(text(pybloom), "AAAA"...), blocked.ErrCorrupt, ""},
		{"a text of something else", []byte("eJust words\n"), blocked.ErrCorrupt, ""},
		{"too many coats", zipped(zipped(zipped(zipped(zipped(zipped(zipped(dcso))))))), ErrUnknown, ""},
		{"another container", changed(container, 8, 9), blocked.ErrUnsupported, "version 9"},
		{"a container cut short", container[:70], blocked.ErrCorrupt, "it ends within"},
	} {
		f, err := Read(bytes.NewReader(c.file), Options{MaxBytes: 1 << 20})
		if f != nil || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v: %s", c.name, err, c.is, c.says)
		}
		if _, err := Read(io.MultiReader(bytes.NewReader(c.file)), Options{MaxBytes: 1 << 20}); err == nil {
			t.Errorf("%s: is read", c.name)
		}
	}
	// A file's size is compared before anything is allocated.
	name := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(name, changed(dcso, 32, 0, 0, 0, 0, 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name, Options{}); !errors.Is(err, blocked.ErrCorrupt) || !strings.Contains(err.Error(), "bytes of bits in a file of") {
		t.Error(err)
	}
}

func TestSetHashRefusesWhatDoesNotFit(t *testing.T) {
	if err := open(t, "tiny.bloom").SetHash("djb"); !errors.Is(err, blocked.ErrInvalid) {
		t.Error(err)
	}
	if err := open(t, "tiny.bloom").SetHash("fnv1"); err != nil {
		t.Error(err)
	}
	if err := open(t, "mike.b64").SetHash("crc"); !errors.Is(err, blocked.ErrInvalid) || !strings.Contains(err.Error(), "superfast") {
		t.Error(err)
	}
}

// A small input that decompresses to much is not believed beyond what is allowed.
func TestBombsAreBounded(t *testing.T) {
	bomb := made(layouts[0], hashes[0], nil)[:1280]
	binary.LittleEndian.PutUint64(bomb[9:], 8<<24)
	bomb = text(append(bomb, make([]byte, 1<<24)...))
	if len(bomb) > 100_000 {
		t.Fatalf("%d bytes are no bomb", len(bomb))
	}
	if _, err := Read(bytes.NewReader(bomb), Options{MaxBytes: 1 << 20}); !errors.Is(err, blocked.ErrTooLarge) {
		t.Error(err)
	}
	if f, err := Read(bytes.NewReader(bomb), Options{MaxBytes: 1 << 24}); err != nil || f.Bits != 8<<24 {
		t.Error(err)
	}
}
