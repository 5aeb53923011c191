package counting

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// filled returns a filter with keys that are there once, twice and no longer.
func filled(t testing.TB, p blocked.Params) *Filter {
	t.Helper()
	f := newTest(t, p)
	keys := hashes(int(p.Blocks)*50, p.Blocks)
	f.AddHashes(keys)
	f.AddHashes(keys[:len(keys)/2])
	f.RemoveHashes(nil, keys[len(keys)/4:])
	return f
}

func encoded(t testing.TB, f *Filter) []byte {
	t.Helper()
	p, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// decoders are the ways to read a filter, by what they do.
var decoders = map[string]func(f *Filter, p []byte) error{
	"UnmarshalBinary": func(f *Filter, p []byte) error { return f.UnmarshalBinary(p) },
	"UnmarshalText": func(f *Filter, p []byte) error {
		return f.UnmarshalText(base64.StdEncoding.AppendEncode(nil, p))
	},
	"ReadFrom": func(f *Filter, p []byte) error {
		n, err := f.ReadFrom(bytes.NewReader(p))
		if err == nil && n != int64(len(p)) {
			return errors.New("a wrong number of bytes")
		}
		return err
	},
	"ReadFrom in halves": func(f *Filter, p []byte) error {
		_, err := f.ReadFrom(iotest.HalfReader(bytes.NewReader(p)))
		return err
	},
}

// Whatever is written comes back, goes on counting, and is written as it was. The
// sizes are those around chunks of 64 KiB.
func TestRoundTrips(t *testing.T) {
	for _, p := range []blocked.Params{{Blocks: 1, K: 3}, {Blocks: 204, K: 6, Seed: 5}, {Blocks: 205, K: 8}, {Blocks: 1024, K: 9}, {Blocks: 1025, K: 16}} {
		f := filled(t, p)
		f.capacity, f.fpRate = 50*p.Blocks, 0.25
		for range 20 {
			f.AddString("often")
		}
		want := encoded(t, f)
		for how, decode := range decoders {
			var g Filter
			if err := decode(&g, want); err != nil {
				t.Fatalf("%v by %s: %v", p, how, err)
			}
			if !g.Equal(f) || g.Len() != f.Len() || g.Stuck() != f.Stuck() || g.Capacity() != f.capacity ||
				g.TargetFPRate() != f.fpRate || !bytes.Equal(encoded(t, &g), want) {
				t.Fatalf("%v by %s: another filter", p, how)
			}
			if !g.HasString("often") || !g.RemoveString("often") || g.Len() != f.Len()-1 {
				t.Fatalf("%v by %s: it does not go on", p, how)
			}
		}
		if got, err := f.AppendBinary([]byte("prefix")); err != nil || string(got) != "prefix"+string(want) {
			t.Errorf("AppendBinary: %v, or other bytes", err)
		}
		if text, err := f.MarshalText(); err != nil || string(text) != base64.StdEncoding.EncodeToString(want) {
			t.Errorf("MarshalText: %v, or other text", err)
		}
		h, err := blocked.Peek(bytes.NewReader(want))
		if err != nil || !h.Counting || h.Params != p || h.Count != f.Len() || h.CountState != blocked.Exact || h.Size != uint64(len(want)) {
			t.Errorf("Peek: %#v, %v", h, err)
		}
	}
}

func TestEncodesInJSONAndGob(t *testing.T) {
	type envelope struct {
		Name string
		Seen *Filter
		None *Filter
	}
	e := envelope{Name: "n", Seen: filled(t, blocked.Params{Blocks: 3, K: 6})}
	p, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(e); err != nil {
		t.Fatal(err)
	}
	var fromJSON, fromGob envelope
	if err := errors.Join(json.Unmarshal(p, &fromJSON), gob.NewDecoder(&buf).Decode(&fromGob)); err != nil {
		t.Fatal(err)
	}
	for _, got := range []envelope{fromJSON, fromGob} {
		if got.Name != "n" || got.None != nil || !got.Seen.Equal(e.Seen) || got.Seen.Len() != e.Seen.Len() {
			t.Errorf("got %+v", got)
		}
	}
}

// What is damaged or cut, anywhere, is refused, and what was in the filter stays.
func TestDamageIsRefused(t *testing.T) {
	f := filled(t, blocked.Params{Blocks: 3, K: 7, Seed: 1})
	want := encoded(t, f)
	whole := encoded(t, filled(t, blocked.Params{Blocks: 2, K: 4}))
	damaged := [][]byte{append(bytes.Clone(whole), 0), append(bytes.Clone(whole), whole...)}
	for at := range whole {
		for _, flip := range []byte{0x01, 0x10, 0xff} {
			p := bytes.Clone(whole)
			p[at] ^= flip
			damaged = append(damaged, p)
		}
		damaged = append(damaged, whole[:at])
	}
	for _, p := range damaged {
		for how, decode := range decoders {
			err := decode(f, p)
			if !errors.Is(err, blocked.ErrCorrupt) && !errors.Is(err, blocked.ErrUnsupported) && !errors.Is(err, blocked.ErrUnclean) {
				t.Fatalf("%s of %d damaged bytes: %v", how, len(p), err)
			}
		}
	}
	if !bytes.Equal(encoded(t, f), want) {
		t.Error("damaged bytes changed the filter")
	}
	if err := f.UnmarshalText([]byte("not base64!")); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("text that is not base64: %v", err)
	}
	bad := errors.New("bad cable")
	if _, err := f.ReadFrom(iotest.ErrReader(bad)); !errors.Is(err, bad) {
		t.Errorf("ReadFrom: %v, want %v", err, bad)
	}
}

// written returns f as bytes with right checksums, after its header and body were
// changed.
func written(t *testing.T, f *Filter, change func(h *format.Header, body []byte)) []byte {
	t.Helper()
	h, body := f.header(nil, 64), bytes.Clone(f.body)
	h.Count = f.Len()
	change(h, body)
	var buf bytes.Buffer
	if _, err := format.Encode(&buf, h, func(p []byte, at uint64) { copy(p, body[at:]) }); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Bits and counters that do not agree are refused though all checksums are right: each
// bit without a counter, and each counter without its bit.
func TestCountersThatDisagreeAreRefused(t *testing.T) {
	f := filled(t, blocked.Params{Blocks: 2, K: 8})
	if err := new(Filter).UnmarshalBinary(written(t, f, func(*format.Header, []byte) {})); err != nil {
		t.Fatal(err)
	}
	for at := range 2 * 512 {
		bit := written(t, f, func(_ *format.Header, body []byte) { body[at/8] ^= 1 << (at % 8) })
		counter := written(t, f, func(_ *format.Header, body []byte) {
			half := &body[2*64+at/2]
			if shift := at % 2 * 4; *half>>shift&15 == 0 {
				*half |= 5 << shift
			} else {
				*half &^= 15 << shift
			}
		})
		for what, p := range map[string][]byte{"bit": bit, "counter": counter} {
			for how, decode := range decoders {
				if err := decode(new(Filter), p); !errors.Is(err, blocked.ErrCorrupt) {
					t.Fatalf("%s: another %s %d: %v, want ErrCorrupt", how, what, at, err)
				}
			}
		}
	}
}

func TestHeadersOfOthersAreRefused(t *testing.T) {
	f := filled(t, blocked.Params{Blocks: 5, K: 8})
	for what, c := range map[string]struct {
		change func(h *format.Header, body []byte)
		want   error
	}{
		"no counters":    {func(h *format.Header, _ []byte) { h.Layout = format.Blocked }, blocked.ErrUnsupported},
		"estimate":       {func(h *format.Header, _ []byte) { h.CountState = format.Estimate }, blocked.ErrCorrupt},
		"indeterminate":  {func(h *format.Header, _ []byte) { h.CountState = format.Indeterminate }, blocked.ErrCorrupt},
		"too many keys":  {func(h *format.Header, _ []byte) { h.Count = math.MaxInt64 + 1 }, blocked.ErrCorrupt},
		"in use":         {func(h *format.Header, _ []byte) { h.InUse = true }, blocked.ErrUnclean},
		"only the plain": {func(h *format.Header, _ []byte) { h.Layout, h.Blocks = format.Blocked, 25 }, blocked.ErrUnsupported},
	} {
		for how, decode := range decoders {
			if err := decode(new(Filter), written(t, f, c.change)); !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v, want %v", what, how, err, c.want)
			}
		}
	}
	most := written(t, f, func(h *format.Header, _ []byte) { h.Count = math.MaxInt64 })
	var g Filter
	if err := g.UnmarshalBinary(most); err != nil || g.Len() != math.MaxInt64 {
		t.Errorf("2^63-1 keys: %v, Len %d", err, g.Len())
	}
}

// Whatever a megabyte of input says, no decoder allocates much more than that.
func TestDecodersAllocateWhatArrives(t *testing.T) {
	const size = 1_000_000
	promising := func(blocks uint64) []byte {
		h := format.Header{Layout: format.Counting, K: 8, Blocks: blocks, CountState: format.Exact}
		h.Place(64)
		return append(h.Append(nil), make([]byte, size-128)...)
	}
	for what, p := range map[string][]byte{
		"a filter": encoded(t, filled(t, blocked.Params{Blocks: size/320 - 10, K: 4})),
		"1280 GiB": promising(1 << 32),
		"a bit":    promising(size/320 + 1),
		"2 GiB":    promising(1<<31/320 - 1000),
	} {
		for how, decode := range decoders {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := decode(new(Filter), p)
			runtime.ReadMemStats(&after)
			limit := uint64(4 << 20)
			if how == "UnmarshalText" {
				limit += 3 * size // of the text itself
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > limit {
				t.Errorf("%s: %s allocates %d bytes for %d, %v", what, how, n, len(p), err)
			}
		}
	}
}

func TestWriteToTellsTheErrorOfTheWriter(t *testing.T) {
	f := filled(t, blocked.Params{Blocks: 1000, K: 6})
	full := errors.New("disk full")
	r, w := io.Pipe()
	r.CloseWithError(full)
	if n, err := f.WriteTo(w); n != 0 || !errors.Is(err, full) {
		t.Errorf("%d, %v, want 0, %v", n, err, full)
	}
	f.AddString("apple") // the locks are free again
	func() {
		defer func() { recover() }()
		f.WriteTo(panicking{})
	}()
	if !f.RemoveString("apple") {
		t.Error("not removed")
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("broken writer") }
