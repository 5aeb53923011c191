package filterfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// A specimen is a filter of several chunks, the last of which is short, and its
// file.
type specimen struct {
	filter *blocked.Filter
	path   string
	whole  []byte
	header format.Header
}

const specimenKeys = 10_000

func newSpecimen(t *testing.T) *specimen {
	t.Helper()
	p := blocked.Params{Blocks: 4*1024 + 500, K: 6, Seed: 9}
	s := &specimen{filter: filled(t, p, specimenKeys)}
	s.path, s.whole = saved(t, s.filter, []byte("specimen"))
	var err error
	if s.header, err = format.ReadHeader(bytes.NewReader(s.whole)); err != nil {
		t.Fatal(err)
	}
	return s
}

// chunkOf returns the chunk that a key lies in.
func (s *specimen) chunkOf(key uint64) int {
	h := blocked.HashUint64(s.header.Seed, key)
	return int(generic.Offset(s.header.Blocks, h) / format.ChunkBytes)
}

// footer returns where the checksums begin.
func (s *specimen) footer() int { return format.FileAlign + int(s.header.BodyBytes()) }

// judge compares all answers with those of the filter before the damage: keys of
// damaged chunks are answered with maybe, and all others as before.
func (s *specimen) judge(t *testing.T, f *File, damaged func(chunk int) bool) {
	t.Helper()
	keys := span(0, 2*specimenKeys) // the second half is absent
	dst := make([]uint64, (len(keys)+63)/64)
	f.HasUint64s(dst, keys)
	before := make([]uint64, len(dst))
	s.filter.HasUint64s(before, keys)
	bad := make([]bool, s.header.Chunks())
	for i := range bad {
		bad[i] = damaged(i)
	}
	for i, key := range keys {
		got := dst[i/64]>>(i%64)&1 != 0
		if want := before[i/64]>>(i%64)&1 != 0 || bad[s.chunkOf(key)]; got != want {
			t.Fatalf("key %d of chunk %d: %v, want %v", key, s.chunkOf(key), got, want)
		}
	}
}

// damage changes a copy of the file in a way that chance chooses.
func (s *specimen) damage(r *rand.Rand) []byte {
	p := bytes.Clone(s.whole)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(p))
		if r.IntN(4) > 0 {
			at = min(at|format.FileAlign, len(p)-1) // not in the header
		}
		switch r.IntN(7) {
		case 0: // a byte
			p[at] ^= byte(1 + r.IntN(255))
		case 1: // a bit of the footer
			at := min(s.footer()+r.IntN(s.header.FooterBytes()), len(p)-1)
			p[at] ^= 1 << r.IntN(8)
		case 2: // a run of zeros, as of a hole
			clear(p[at:min(at+1<<r.IntN(18), len(p))])
		case 3: // sectors of noise
			for i := at &^ 511; i < min(at+512<<r.IntN(6), len(p)); i++ {
				p[i] = byte(r.Uint32())
			}
		case 4: // two places swapped
			n := 1 << r.IntN(17)
			a, b := r.IntN(len(p)), r.IntN(len(p))
			n = min(n, len(p)-a, len(p)-b)
			was := bytes.Clone(p[a:][:n])
			copy(p[a:], p[b:][:n])
			copy(p[b:][:n], was)
		case 5: // the end is cut off
			p = p[:max(at, 1)]
		case 6: // something follows
			p = append(p, s.whole[:1+r.IntN(5000)]...)
		}
	}
	return p
}

// chunksOf returns which chunks of the file p are certainly whole: their bytes and
// their checksums are what they were.
func (s *specimen) chunksOf(p []byte) (damaged func(chunk int) bool) {
	same := func(from, to int) bool {
		return to <= len(p) && bytes.Equal(p[from:to], s.whole[from:to])
	}
	return func(i int) bool {
		from, to := s.header.Chunk(i)
		sum := s.footer() + 4*i
		return !same(format.FileAlign+int(from), format.FileAlign+int(to)) || !same(sum, sum+4)
	}
}

// Whatever happens to a file, degraded mode refuses it, since its header is
// damaged or too little is left, or answers maybe for what is damaged and as
// before for the rest: no key that was added is ever answered with no.
func TestDegradedNeverSaysNoToAMember(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	r := dice(2)
	refusals := 0
	for i := range rounds(400) {
		p := s.damage(r)
		write(t, s.path, p)
		opts := ways["Degraded"]
		if i%2 == 1 {
			opts = ways["Degraded, VerifyLazy"]
		}
		f, err := Open(s.path, opts)
		header := len(p) >= format.FileAlign && bytes.Equal(p[:format.FileAlign], s.whole[:format.FileAlign])
		enough := len(p) >= format.FileAlign+int(s.header.BodyBytes())/3
		switch {
		case err == nil && !header:
			t.Fatal("a file with a damaged header was opened")
		case err != nil && !refusal(err):
			t.Fatal(err)
		case err != nil && header && enough:
			t.Fatalf("refused although its header and %d of %d bytes are there: %v", len(p), len(s.whole), err)
		case err != nil:
			refusals++
			continue
		}
		s.judge(t, f, s.chunksOf(p))
		if damaged := !bytes.Equal(p, s.whole); damaged && !errors.Is(f.Err(), blocked.ErrCorrupt) || !damaged && f.Err() != nil {
			t.Fatalf("damaged: %v, Err: %v", damaged, f.Err())
		}
		if got := f.Header(); string(got.Metadata) != "specimen" {
			t.Fatalf("metadata %q", got.Metadata)
		}
		f.Close()
	}
	t.Logf("%d of %d were refused", refusals, rounds(400))
}

// Every byte of the footer in turn, and every length near its parts.
func TestDegradedLosesOnlyWhatIsDamaged(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	try := func(p []byte) {
		t.Helper()
		write(t, s.path, p)
		f, err := Open(s.path, ways["Degraded"])
		if err != nil {
			t.Fatal(err)
		}
		s.judge(t, f, s.chunksOf(p))
		if !errors.Is(f.Err(), blocked.ErrCorrupt) {
			t.Fatalf("Err: %v", f.Err())
		}
		f.Close()
	}
	for at := s.footer(); at < len(s.whole); at++ {
		p := bytes.Clone(s.whole)
		p[at] ^= 0x10
		try(p)
	}
	for n := s.footer() - 2; n < len(s.whole); n++ {
		try(s.whole[:n])
	}
	for i := 2; i < s.header.Chunks(); i++ {
		for _, n := range []int{-1, 0, 1, 63, 64, 65} {
			try(s.whole[:format.FileAlign+i*format.ChunkBytes+n])
		}
	}
	for _, n := range []int{1, 4, 16, 4096, 1 << 20} {
		try(append(bytes.Clone(s.whole), make([]byte, n)...))
	}
}

// A file that is whole is mapped as always in degraded mode.
func TestDegradedMapsAWholeFile(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	f, err := Open(s.path, ways["Degraded"])
	if err != nil || f.bytes == nil || f.Err() != nil {
		t.Fatal(err)
	}
	s.judge(t, f, func(int) bool { return false })
	f.Close()
}

// A short file cannot ask for much memory.
func TestDegradedRefusesAFileOfWhichLittleIsLeft(t *testing.T) {
	t.Parallel()
	for _, blocks := range []uint64{1000, 1 << 24, 1 << 32} {
		h := format.Header{Layout: format.Blocked, K: 6, Blocks: blocks, CountState: format.Exact}
		h.Place(format.FileAlign)
		path, _ := saved(t, filled(t, blocked.Params{Blocks: 1, K: 1}, 0), nil)
		write(t, path, append(h.Append(nil), make([]byte, 10_000)...))
		if _, err := Open(path, ways["Degraded"]); !refusal(err) {
			t.Errorf("%d blocks: %v", blocks, err)
		}
	}
}

// The size in a header may be more than an int can say, while the file, which is
// mostly a hole, is large enough for degraded mode.
func TestDegradedRefusesMoreThanTheCPUCanAddress(t *testing.T) {
	t.Parallel()
	if math.MaxInt > math.MaxInt32 {
		t.Skip("no file is too large for 64 bits")
	}
	h := format.Header{Layout: format.Blocked, K: 6, Blocks: math.MaxInt32/64 + 1, CountState: format.Exact}
	h.Place(format.FileAlign)
	path, _ := saved(t, filled(t, blocked.Params{Blocks: 1, K: 1}, 0), nil)
	write(t, path, h.Append(nil))
	if err := os.Truncate(path, math.MaxInt32/3*2); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, ways["Degraded"]); !errors.Is(err, blocked.ErrUnsupported) {
		t.Fatal(err)
	}
}

// The checksum list is believed entry by entry only: a list that was made to agree
// with damaged blocks, but not with itself, does not hide them.
func TestDegradedDoesNotBelieveAFooterThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	p := bytes.Clone(s.whole[:s.footer()+6]) // one checksum and a half
	write(t, s.path, p)
	f, err := Open(s.path, ways["Degraded"])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.judge(t, f, func(chunk int) bool { return chunk > 0 })
	if sum := binary.LittleEndian.Uint32(p[s.footer():]); sum != format.Checksum(p[format.FileAlign:][:format.ChunkBytes]) {
		t.Fatalf("the first checksum is %#x", sum)
	}
}
