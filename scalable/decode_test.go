package scalable

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/formattest"
)

// refused gives p to all decoders of a filter that holds something, and fails if
// one takes it, or changes the filter, or returns another kind of error.
func refused(t *testing.T, what string, p []byte) error {
	t.Helper()
	f, _ := made(t, 5, 0.01, 20)
	was := encoded(t, f)
	n, readErr := f.ReadFrom(bytes.NewReader(p))
	if n > int64(len(p)) {
		t.Errorf("%s: ReadFrom read %d bytes of %d", what, n, len(p))
	}
	err := f.UnmarshalBinary(p)
	for how, err := range map[string]error{
		"UnmarshalBinary": err,
		"UnmarshalText":   f.UnmarshalText(base64.StdEncoding.AppendEncode(nil, p)),
		"ReadFrom":        readErr,
	} {
		if !errors.Is(err, blocked.ErrCorrupt) && !errors.Is(err, blocked.ErrUnsupported) && !errors.Is(err, blocked.ErrUnclean) ||
			!strings.HasPrefix(err.Error(), "linebloom: ") {
			t.Errorf("%s: %s: %v", what, how, err)
		}
	}
	if !bytes.Equal(encoded(t, f), was) {
		t.Fatalf("%s: the filter was changed", what)
	}
	return err
}

func TestDamageIsRefused(t *testing.T) {
	f, _ := made(t, 4, 0.3, 8)
	p := encoded(t, f)
	for n := range p {
		refused(t, "a part", p[:n])
	}
	refused(t, "a byte more", append(bytes.Clone(p), 0))
	refused(t, "twice", append(bytes.Clone(p), p...))
	for at := range p {
		for bit := range 8 {
			p[at] ^= 1 << bit
			refused(t, "a flipped bit", p)
			p[at] ^= 1 << bit
		}
	}
	if err := f.UnmarshalText([]byte("no base64!")); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("no base64: %v", err)
	}
}

// Headers and records that contradict each other are refused although their
// checksums are right: format's tests have all of them, this one what only a chain
// can check.
func TestInconsistentChainsAreRefused(t *testing.T) {
	f, _ := made(t, 10, 0.01, 100)
	whole := encoded(t, f)
	records := format.HeaderBytes + int(f.Bytes())
	le := binary.LittleEndian
	rate := func(at int, x float64) func(p []byte) {
		return func(p []byte) { le.PutUint64(p[at:], math.Float64bits(x)) }
	}
	for what, c := range map[string]struct {
		change func(p []byte)
		text   string
	}{
		"a rate that the blocks do not give": {rate(records+24, 1e-9), "has a rate of"},
		"a capacity that is too much":        {func(p []byte) { p[records+64+8]++; p[records+64+9]++ }, "has a rate of"},
		"k that is too small":                {func(p []byte) { p[records+64+32] = 1 }, "k = 1, seed 0x0, has a rate of"},
		"rates above the whole":              {rate(40, 0.0018), "together, want less than the 0.0018"},
		"a block moved":                      {func(p []byte) { p[records]++; p[records+64]-- }, "link 1 of 2, with"},
		"no block left":                      {func(p []byte) { p[records]--; p[records+64]++ }, "0 blocks, want 1 to 2^32, in link 0 of 2"},
		"a link less":                        {func(p []byte) { p[13]-- }, "a filter of"},
		"a count above the capacity":         {func(p []byte) { p[records+16]++ }, "11 keys, want at most the capacity, 10"},
	} {
		p := bytes.Clone(whole)
		c.change(p)
		if err := refused(t, what, formattest.Repaired(p)); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", what, err, c.text)
		}
	}
	if err := new(Filter).UnmarshalBinary(formattest.Repaired(whole)); err != nil {
		t.Fatal(err)
	}
}

// A chain whose writer used other capacities and rates is taken, keeps its promise,
// and ends where it has to.
func TestChainsOfOtherWriters(t *testing.T) {
	h := format.Header{Layout: format.Chain, K: 4, Blocks: 64 * 2, Links: 64, Capacity: 3, FPRate: 0.5, CountState: format.Exact}
	h.Place(64)
	var links []format.Link
	for range 64 {
		links = append(links, format.Link{Blocks: 2, K: 4, Capacity: 3, Count: 3, FPRate: 0.001})
	}
	h.Count = 64 * 3
	body := format.AppendLinks(make([]byte, h.Blocks*64), links)
	var buf bytes.Buffer
	if _, err := format.Encode(&buf, &h, func(p []byte, at uint64) { copy(p, body[at:]) }); err != nil {
		t.Fatal(err)
	}
	var f Filter
	if err := f.UnmarshalBinary(buf.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := f.AddUint64(1); !errors.Is(err, blocked.ErrTooLarge) || !strings.Contains(err.Error(), "a chain has 64 links at most") {
		t.Errorf("link 65: %v", err)
	}
	if f.HasUint64(1) || f.HasHashes(make([]uint64, 2), make([]uint64, 100)) != 0 {
		t.Error("an empty chain has keys")
	}

	h.Links, h.Blocks, h.Count, h.FPRate = 1, 2, 3, 0.001+1e-9
	body = format.AppendLinks(make([]byte, 128), links[:1])
	buf.Reset()
	if _, err := format.Encode(&buf, &h, func(p []byte, at uint64) { copy(p, body[at:]) }); err != nil {
		t.Fatal(err)
	}
	if err := f.UnmarshalBinary(buf.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := f.AddUint64(1); !errors.Is(err, blocked.ErrTooLarge) || !strings.Contains(err.Error(), "leave a rate of") {
		t.Errorf("no rate left: %v", err)
	}
}

// Whatever a megabyte of input says, no decoder allocates much more than that.
func TestDecodersAllocateWhatArrives(t *testing.T) {
	const size = 1_000_000
	promising := func(links int, blocks uint64) []byte {
		h := format.Header{Layout: format.Chain, K: 8, Blocks: blocks, Links: links, FPRate: 0.1, CountState: format.Exact}
		h.Place(64)
		return append(h.Append(nil), make([]byte, size-format.HeaderBytes)...)
	}
	f, _ := made(t, 10, 0.01, 200_000)
	for what, p := range map[string][]byte{
		"a filter":   encoded(t, f),
		"a part":     encoded(t, f)[:size/2],
		"256 GiB":    promising(64, 1<<32),
		"2 GiB":      promising(1, 1<<25-2000),
		"a bit more": promising(64, 1<<14+1),
	} {
		for how, decode := range map[string]func() error{
			"UnmarshalBinary": func() error { return new(Filter).UnmarshalBinary(p) },
			"ReadFrom":        func() error { _, err := new(Filter).ReadFrom(bytes.NewReader(p)); return err },
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := decode()
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
				t.Errorf("%s: %s allocates %d bytes for %d, %v", what, how, n, len(p), err)
			}
			if (err == nil) != (what == "a filter") {
				t.Errorf("%s: %s: %v", what, how, err)
			}
		}
	}
}
