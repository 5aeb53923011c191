package blocked

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// encoder is what can be written: Filter, AtomicFilter and View.
type encoder interface {
	Viewer
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.TextMarshaler
	io.WriterTo
}

// decoder is what can be read: Filter and AtomicFilter.
type decoder interface {
	encoder
	encoding.BinaryUnmarshaler
	encoding.TextUnmarshaler
	io.ReaderFrom
	Capacity() uint64
	TargetFPRate() float64
	HasHash(uint64) bool
}

// roundTrips are the ways to write f and to read it again as g. want is what
// MarshalBinary of f returns.
var roundTrips = map[string]func(t *testing.T, f encoder, want []byte, g decoder) error{
	"MarshalBinary": func(t *testing.T, f encoder, want []byte, g decoder) error {
		return g.UnmarshalBinary(want)
	},
	"AppendBinary": func(t *testing.T, f encoder, want []byte, g decoder) error {
		p, err := f.AppendBinary([]byte("prefix"))
		if err != nil || string(p[:6]) != "prefix" || !bytes.Equal(p[6:], want) {
			t.Errorf("AppendBinary: %v, or not a prefix and the bytes of MarshalBinary", err)
		}
		return g.UnmarshalBinary(p[6:])
	},
	"MarshalText": func(t *testing.T, f encoder, want []byte, g decoder) error {
		p, err := f.MarshalText()
		if err != nil {
			t.Error(err)
		}
		return g.UnmarshalText(p)
	},
	"WriteTo":        through(func(r io.Reader) io.Reader { return r }),
	"byte by byte":   through(iotest.OneByteReader),
	"half reads":     through(iotest.HalfReader),
	"end with data":  through(iotest.DataErrReader),
	"bytes then end": through(func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) }),
}

// through is a round trip through WriteTo and ReadFrom of a reader that returns
// what it likes.
func through(reader func(io.Reader) io.Reader) func(*testing.T, encoder, []byte, decoder) error {
	return func(t *testing.T, f encoder, want []byte, g decoder) error {
		var buf bytes.Buffer
		n, err := f.WriteTo(&buf)
		if err != nil || n != int64(buf.Len()) || !bytes.Equal(buf.Bytes(), want) {
			t.Errorf("WriteTo: %d of %d bytes, %v, or other bytes than those of MarshalBinary", n, buf.Len(), err)
		}
		m, err := g.ReadFrom(reader(&buf))
		if err == nil && m != n {
			t.Errorf("ReadFrom: %d bytes, want %d", m, n)
		}
		return err
	}
}

func encoded(t testing.TB, f encoder) []byte {
	t.Helper()
	p, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// filled returns a filter and the hashes that it was filled with, at ten bits each.
func filled(t testing.TB, p Params) (*Filter, []uint64) {
	t.Helper()
	f, err := NewFromParams(p)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(p.Blocks, uint64(p.K)))
	hashes := make([]uint64, p.Blocks*50)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	f.AddHashes(hashes)
	return f, hashes
}

// Whatever is written comes back as either kind of filter, in every way. The sizes
// are those around chunks of 64 KiB.
func TestRoundTripsKeepEverything(t *testing.T) {
	for _, p := range []Params{
		{Blocks: 1, K: 6}, {Blocks: 1023, K: 6}, {Blocks: 1024, K: 6}, {Blocks: 2048, K: 6},
		{Blocks: 1025, K: 1}, {Blocks: 1025, K: 6}, {Blocks: 1025, K: 8}, {Blocks: 1025, K: 9}, {Blocks: 1025, K: 16},
	} {
		p.Seed = p.Blocks << 40
		f, hashes := filled(t, p)
		f.capacity, f.fpRate = 50*p.Blocks, 0.25
		a, err := AtomicOf(wordsOf(f), p)
		if err != nil {
			t.Fatal(err)
		}
		a.capacity, a.fpRate = f.capacity, f.fpRate
		odd, err := ViewOf(append(make([]byte, 3), f.Blocks()...)[3:], p)
		if err != nil {
			t.Fatal(err)
		}
		for from, f := range map[string]encoder{"Filter": f, "AtomicFilter": a, "View": a.View(), "odd View": odd} {
			for how := range roundTrips {
				for to, g := range map[string]decoder{"Filter": new(Filter), "AtomicFilter": new(AtomicFilter)} {
					if err := roundTrip(t, how, f, g, hashes); err != nil {
						t.Fatalf("%v: %s to %s by %s: %v", p, from, to, how, err)
					}
				}
			}
		}
	}
}

// roundTrip brings f to g and tells what was lost.
func roundTrip(t *testing.T, how string, f encoder, g decoder, hashes []uint64) error {
	want := encoded(t, f)
	if err := roundTrips[how](t, f, want, g); err != nil {
		return err
	}
	if !g.View().Equal(f) || !g.HasHash(hashes[0]) || !g.HasHash(hashes[len(hashes)-1]) {
		return errors.New("another filter")
	}
	if made, ok := f.(decoder); ok { // a View does not know
		if g.Capacity() != made.Capacity() || g.TargetFPRate() != made.TargetFPRate() {
			return fmt.Errorf("capacity %d, rate %g", g.Capacity(), g.TargetFPRate())
		}
		if again := encoded(t, g); !bytes.Equal(again, want) {
			return errors.New("written again, it differs")
		}
	}
	return nil
}

// wordsOf returns a copy of the blocks as words in the CPU's byte order.
func wordsOf(f *Filter) []uint64 {
	words := make([]uint64, len(f.Blocks())/8)
	for i := range words {
		words[i] = binary.NativeEndian.Uint64(f.Blocks()[8*i:])
	}
	return words
}

// envelope has filters as fields, as the structs of users do.
type envelope struct {
	Name   string
	Seen   *Filter
	Shared *AtomicFilter
	None   *Filter
	Value  Filter
}

func newEnvelope(t *testing.T) *envelope {
	f, hashes := filled(t, Params{Blocks: 9, K: 6, Seed: 5})
	a, err := NewAtomicFromParams(Params{Blocks: 9, K: 6, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	a.AddHashes(hashes)
	return &envelope{Name: "n", Seen: f, Shared: a, Value: *f.Clone()}
}

func (e *envelope) check(t *testing.T, got *envelope) {
	t.Helper()
	if got.Name != "n" || got.None != nil || got.Seen == nil || got.Shared == nil {
		t.Fatalf("got %+v", got)
	}
	for what, f := range map[string]Viewer{"Seen": got.Seen, "Shared": got.Shared, "Value": &got.Value} {
		if !f.View().Equal(e.Seen) {
			t.Errorf("%s is another filter", what)
		}
	}
}

func TestEncodesInJSON(t *testing.T) {
	e := newEnvelope(t)
	p, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var got envelope
	if err := json.Unmarshal(p, &got); err != nil {
		t.Fatal(err)
	}
	e.check(t, &got)

	p[bytes.Index(p, []byte("Seen"))+100] ^= 1
	if err := json.Unmarshal(p, new(envelope)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("damaged JSON: %v, want ErrCorrupt", err)
	}
}

func TestEncodesInGob(t *testing.T) {
	e := newEnvelope(t)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(e); err != nil {
		t.Fatal(err)
	}
	var got envelope
	if err := gob.NewDecoder(&buf).Decode(&got); err != nil {
		t.Fatal(err)
	}
	e.check(t, &got)
}

// The count in the header is the estimate, or none if every bit is set.
func TestEncodesTheCount(t *testing.T) {
	f, _ := filled(t, Params{Blocks: 10, K: 6})
	h, err := Peek(bytes.NewReader(encoded(t, f)))
	if n := uint64(f.EstimateCount() + 0.5); err != nil || h.CountState != Estimate || h.Count != n {
		t.Errorf("count %d, %v, %v, want %d, an estimate", h.Count, h.CountState, err, n)
	}
	for i := range f.Blocks() {
		f.Blocks()[i] = 0xff
	}
	h, err = Peek(bytes.NewReader(encoded(t, f)))
	if err != nil || h.CountState != Indeterminate || h.Count != 0 {
		t.Errorf("count of a full filter %d, %v, %v, want 0, indeterminate", h.Count, h.CountState, err)
	}
}

// Keys are added while the filter is written: what is written can be read, and
// has all keys that were there when WriteTo was called.
func TestEncodesBesideAdds(t *testing.T) {
	a, err := NewAtomicFromParams(Params{Blocks: 5000, K: 6})
	if err != nil {
		t.Fatal(err)
	}
	var added atomic.Uint64
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for x := uint64(0); x < 200_000 && !stop.Load(); x++ {
			a.AddUint64(x)
			added.Store(x + 1)
		}
	}()
	for range 20 {
		var buf bytes.Buffer
		n := added.Load()
		if _, err := a.WriteTo(&buf); err != nil {
			t.Fatal(err)
		}
		var f Filter
		if err := f.UnmarshalBinary(buf.Bytes()); err != nil {
			t.Fatal(err)
		}
		for x := range n {
			if !f.HasUint64(x) {
				t.Fatalf("key %d of the first %d is lost", x, n)
			}
		}
	}
	stop.Store(true)
	<-done
}

func TestEncodeTellsTheErrorOfTheWriter(t *testing.T) {
	f, _ := filled(t, Params{Blocks: 2000, K: 6})
	full := errors.New("disk full")
	for _, e := range []encoder{f, f.View()} {
		if n, err := e.WriteTo(failing{full}); n != 0 || !errors.Is(err, full) {
			t.Errorf("%d, %v, want 0, %v", n, err, full)
		}
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }
