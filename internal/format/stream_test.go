package format

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/linebloom/linebloom/internal/mem"
)

// body returns random bytes of the size that h asks for.
func body(h *Header) []byte {
	p := make([]byte, h.BodyBytes())
	r := rand.New(rand.NewPCG(h.Blocks, uint64(h.Layout)))
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

func encode(t *testing.T, h *Header, body []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	n, err := Encode(&buf, h, func(p []byte, at uint64) { copy(p, body[at:]) })
	if err != nil || n != int64(buf.Len()) || uint64(n) != h.TotalBytes() {
		t.Fatalf("Encode: %d, %v; %d bytes were written, want %d", n, err, buf.Len(), h.TotalBytes())
	}
	return buf.Bytes()
}

func TestBodiesComeBack(t *testing.T) {
	for _, layout := range []Layout{Blocked, Counting, Chain} {
		for _, blocks := range []uint64{1, 2, 204, 205, 1023, 1024, 1025, 2048, 1<<14 - 1, 1 << 14, 1<<14 + 1, 1<<15 + 1} {
			h := small()
			h.Layout, h.Blocks = layout, blocks
			if layout == Chain {
				h.Links = 3
			}
			want := body(&h)
			p := encode(t, &h, want)
			_, got, err := DecodeBytes(p)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("layout %d, %d blocks: DecodeBytes: %v, or other blocks", layout, blocks, err)
			}
			if &got[0] != &p[h.Offset] || cap(got) != len(got) {
				t.Fatalf("layout %d, %d blocks: the body is a copy, or has room for what follows it", layout, blocks)
			}
			_, words, n, err := Decode(bytes.NewReader(p))
			if err != nil || n != int64(len(p)) || !bytes.Equal(mem.Bytes(words), want) {
				t.Fatalf("layout %d, %d blocks: Decode: %d of %d, %v, or other blocks", layout, blocks, n, len(p), err)
			}
		}
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	h := small()
	p := encode(t, &h, body(&h))
	for n := range len(p) {
		if err := refused(t, "a part", p[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("the first %d bytes of %d: %v, want ErrCorrupt", n, len(p), err)
		}
	}
	for _, more := range [][]byte{{0}, {10}, p} {
		if err := refused(t, "more", append(bytes.Clone(p), more...)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d bytes follow: %v, want ErrCorrupt", len(more), err)
		}
	}
}

// Bits that are set while a filter is written do not come between a chunk and its
// checksum: every chunk is read once.
func TestBodiesThatChangeAreWrittenWhole(t *testing.T) {
	h := small()
	h.Blocks = 2049
	var buf bytes.Buffer
	var next uint64
	if _, err := Encode(&buf, &h, func(p []byte, at uint64) {
		if at != next {
			t.Errorf("byte %d is read, want %d", at, next)
		}
		next = at + uint64(len(p))
		for i := range p {
			p[i] = byte(at >> 16)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if next != h.BodyBytes() {
		t.Errorf("%d bytes were read, want %d", next, h.BodyBytes())
	}
	if _, _, err := DecodeBytes(buf.Bytes()); err != nil {
		t.Error(err)
	}
}

// shortWriter takes room bytes and then fails with err, or, if that is nil, tells
// how few it took.
type shortWriter struct {
	room int
	err  error
}

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}

func TestErrorsOfWritersComeThrough(t *testing.T) {
	h := small()
	h.Blocks = 1025
	all := body(&h)
	full := errors.New("disk full")
	for _, room := range []int{0, 1, 127, h.Offset, h.Offset + 1, h.Offset + 65536, h.Offset + len(all), int(h.TotalBytes()) - 1} {
		for _, c := range []struct{ err, want error }{{full, full}, {nil, io.ErrShortWrite}} {
			n, err := Encode(&shortWriter{room, c.err}, &h, func(p []byte, at uint64) { copy(p, all[at:]) })
			if n != int64(room) || !errors.Is(err, c.want) {
				t.Errorf("room for %d bytes: %d, %v, want %v", room, n, err, c.want)
			}
		}
	}
}

func TestErrorsOfReadersComeThrough(t *testing.T) {
	h := small()
	p := encode(t, &h, body(&h))
	bad := errors.New("bad cable")
	for n := range len(p) + 1 {
		r := io.MultiReader(bytes.NewReader(p[:n]), iotest.ErrReader(bad))
		if _, _, m, err := Decode(r); m != int64(n) || !errors.Is(err, bad) {
			t.Errorf("a reader that fails after %d bytes: %d, %v", n, m, err)
		}
	}
}

func TestMemoryGrowsWithWhatArrives(t *testing.T) {
	for _, c := range []struct{ have, total, want int }{
		{1 << 20, 1<<20 + 64, 1<<20 + 64},
		{1 << 20, 2 << 20, 2 << 20},
		{1 << 20, math.MaxInt, 2 << 20},
		{math.MaxInt/2 + 1, math.MaxInt - 63, math.MaxInt - 63},
	} {
		if got := grown(c.have, c.total); got != c.want {
			t.Errorf("grown(%d, %d) = %d, want %d", c.have, c.total, got, c.want)
		}
	}
}
