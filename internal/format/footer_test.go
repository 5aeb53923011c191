package format

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The check value of CRC-32C from the catalogue of parametrised CRC algorithms.
func TestChecksumIsCRC32C(t *testing.T) {
	if got := Checksum([]byte("123456789")); got != 0xE3069283 {
		t.Errorf("checksum %#08x, want 0xe3069283", got)
	}
}

// Every change of a byte behind the blocks is found.
func TestEveryByteOfTheFooterIsGuarded(t *testing.T) {
	h := small()
	h.Blocks = 1025
	p := encode(t, &h, body(&h))
	for at := len(p) - h.FooterBytes(); at < len(p); at++ {
		for x := 1; x < 256; x++ {
			p[at] ^= byte(x)
			if err := refused(t, "a changed footer", p); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d changed by %#02x: %v, want ErrCorrupt", at, x, err)
			}
			p[at] ^= byte(x)
		}
	}
	if _, _, err := DecodeBytes(p); err != nil {
		t.Fatal(err)
	}
}

// Every change of a bit of the blocks is found. LINEBLOOM_LONG=1 tries all.
func TestEveryBitOfTheBodyIsGuarded(t *testing.T) {
	step := 97
	if testing.Short() { // on an emulated CPU
		step = 9973
	}
	if os.Getenv("LINEBLOOM_LONG") == "1" {
		step = 1
	}
	h := small()
	h.Blocks = 1 << 20 / blockBytes
	all := body(&h)
	var wg sync.WaitGroup
	for i := range h.Chunks() {
		from, to := h.Chunk(i)
		chunk := all[from:to]
		wg.Go(func() {
			sum := Checksum(chunk)
			if err := h.CheckChunk(i, chunk, sum); err != nil {
				t.Error(err)
			}
			for at := i % step; at < 8*len(chunk); at += step {
				chunk[at/8] ^= 1 << (at % 8)
				if h.CheckChunk(i, chunk, sum) == nil {
					t.Errorf("chunk %d: a flip of bit %d is not found", i, at)
				}
				chunk[at/8] ^= 1 << (at % 8)
			}
		})
	}
	wg.Wait()
}

func TestErrorsNameTheBlocksThatAreDamaged(t *testing.T) {
	h := small()
	h.Blocks = 1030
	p := encode(t, &h, body(&h))
	for at, text := range map[int]string{0: "blocks 0 to 1023", 65535: "blocks 0 to 1023", 65536: "blocks 1024 to 1029"} {
		p[h.Offset+at] ^= 1
		if err := refused(t, "a changed block", p); !strings.Contains(err.Error(), text) {
			t.Errorf("byte %d of the body: %v, want %q", at, err, text)
		}
		p[h.Offset+at] ^= 1
	}
}

func TestChunksDoNotChangePlaces(t *testing.T) {
	h := small()
	h.Blocks = 3 * ChunkBytes / blockBytes
	p := encode(t, &h, body(&h))
	swap := func(a, b []byte) {
		c := bytes.Clone(a)
		copy(a, b)
		copy(b, c)
	}
	chunk := func(i int) []byte {
		from, to := h.Chunk(i)
		return p[uint64(h.Offset)+from : uint64(h.Offset)+to]
	}
	sum := func(i int) []byte { return p[uint64(h.Offset)+h.BodyBytes()+4*uint64(i):][:4] }
	for i := range 3 {
		for j := range i {
			swap(chunk(i), chunk(j))
			if err := refused(t, "swapped chunks", p); !errors.Is(err, ErrCorrupt) {
				t.Errorf("chunks %d and %d swapped: %v", i, j, err)
			}
			swap(sum(i), sum(j))
			if err := refused(t, "swapped chunks and checksums", p); !errors.Is(err, ErrCorrupt) {
				t.Errorf("chunks %d and %d swapped with their checksums: %v", i, j, err)
			}
			swap(chunk(i), chunk(j))
			if err := refused(t, "swapped checksums", p); !errors.Is(err, ErrCorrupt) {
				t.Errorf("checksums %d and %d swapped: %v", i, j, err)
			}
			swap(sum(i), sum(j))
		}
	}
	if _, _, err := DecodeBytes(p); err != nil {
		t.Fatal(err)
	}
}

func TestFootersOfOtherFiltersAreRefused(t *testing.T) {
	h, other := small(), small()
	other.Seed++
	p, q := encode(t, &h, body(&h)), encode(t, &other, body(&h))
	mixed := slices.Concat(p[:h.Offset], q[h.Offset:])
	err := refused(t, "a header of another filter", mixed)
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "the footer is that of another filter") {
		t.Error(err)
	}
}

func TestSizesThatTheHeaderDoesNotImplyAreRefused(t *testing.T) {
	h := small()
	h.Append(nil)
	footer := h.AppendFooter(nil, []uint32{7})
	for _, n := range []int{0, 4, len(footer) - 1} {
		if _, err := h.ParseFooter(footer[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("footer of %d bytes: %v", n, err)
		}
	}
	if _, err := h.ParseFooter(append(footer, 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("footer and a byte: %v", err)
	}
	if sums, err := h.ParseFooter(footer); err != nil || !slices.Equal(sums, []uint32{7}) {
		t.Errorf("checksums %v, %v, want [7]", sums, err)
	}
	for _, d := range []uint64{1, 1<<64 - 1} {
		if err := h.CheckSize(h.TotalBytes() + d); !errors.Is(err, ErrCorrupt) {
			t.Errorf("size %+d: %v", int64(d), err)
		}
	}
	if err := h.CheckSize(h.TotalBytes()); err != nil {
		t.Error(err)
	}
}
