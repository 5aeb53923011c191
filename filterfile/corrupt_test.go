package filterfile

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// ways are all ways to open a file for look-ups.
var ways = map[string]Options{
	"VerifyAll":             {},
	"VerifyHeader":          {Verify: VerifyHeader},
	"VerifyLazy":            {Verify: VerifyLazy},
	"Degraded":              {Degraded: true},
	"Degraded, VerifyLazy":  {Degraded: true, Verify: VerifyLazy},
	"InUse":                 {InUse: true},
	"Degraded, InUse, lazy": {Degraded: true, Verify: VerifyLazy, InUse: true},
}

// refused checks that a file cannot be opened for look-ups in the given way, and
// that the error says why.
func refused(t *testing.T, path, way string) {
	t.Helper()
	f, err := Open(path, ways[way])
	if err == nil {
		f.Close()
	}
	if !refusal(err) {
		t.Errorf("%s: error %v", way, err)
	}
}

// refusedShared checks that a file cannot be opened for adding.
func refusedShared(t *testing.T, path string) {
	t.Helper()
	s, err := OpenShared(path)
	if err == nil {
		s.Close()
	}
	if !refusal(err) && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("OpenShared: error %v", err)
	}
}

// A victim is a file whose bytes are changed and changed back.
type victim struct {
	*os.File
	path  string
	whole []byte
}

func newVictim(t *testing.T, path string, whole []byte) victim {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return victim{f, path, whole}
}

// with changes bytes at some place while do runs.
func (v victim) with(t *testing.T, p []byte, at int, do func()) {
	t.Helper()
	if _, err := v.WriteAt(p, int64(at)); err != nil {
		t.Fatal(err)
	}
	do()
	if _, err := v.WriteAt(v.whole[at:at+len(p)], int64(at)); err != nil {
		t.Fatal(err)
	}
}

// values returns the values that a byte is changed to: all, or those with one bit
// changed and some others.
func values(was byte, all bool) (values []byte) {
	for x := range 256 {
		flipped := byte(x) ^ was
		if flipped != 0 && (all || flipped&(flipped-1) == 0 || x == 0 || x == 0xff || x%51 == int(was)%51) {
			values = append(values, byte(x))
		}
	}
	return values
}

// Every byte of the header, its metadata and its padding is under a checksum, so
// that no way of opening takes a file in which one is changed. The only exception
// is the sign that the file is in use, which says that checksums are to be
// disregarded.
func TestEveryChangedByteOfTheHeaderIsRefused(t *testing.T) {
	t.Parallel()
	metadata := []byte("metadata, which has a checksum as well")
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 3, K: 5, Seed: 1}, 30), metadata)
	v := newVictim(t, path, whole)
	const fields = format.HeaderBytes
	for at, was := range whole[:format.FileAlign] {
		if at == format.AtInUse {
			continue
		}
		most := values(was, thorough() || at < fields)
		if at >= fields+len(metadata) && !thorough() {
			most = most[at%len(most):][:1] // padding
		}
		few := values(was, thorough() && at < fields)
		for _, x := range most {
			v.with(t, []byte{x}, at, func() {
				refused(t, path, "VerifyAll")
				refusedShared(t, path)
				if bytes.IndexByte(few, x) < 0 {
					return
				}
				for way := range ways {
					refused(t, path, way)
				}
			})
			if t.Failed() {
				t.Fatalf("byte %d changed from %#02x to %#02x", at, was, x)
			}
		}
	}
	verified(t, path) // it was changed back each time
}

// A file whose in-use byte is damaged is one that was not closed, whatever its
// value: nobody opens it by accident, and no key is lost to who takes it over.
func TestAChangedInUseByteMakesTheFileUnclean(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 3, K: 5, Seed: 1}, 30), nil)
	for x := 1; x < 256; x++ {
		p := bytes.Clone(whole)
		p[format.AtInUse] = byte(x)
		write(t, path, p)
		for _, opts := range []Options{{}, {Verify: VerifyHeader}, {Verify: VerifyLazy}, {Degraded: true}} {
			if _, err := Open(path, opts); !errors.Is(err, blocked.ErrUnclean) {
				t.Fatalf("in use = %d, %+v: %v", x, opts, err)
			}
		}
		if x%32 != 1 && !thorough() {
			continue // the rest waits for the disk
		}
		s, err := OpenShared(path)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil || !s.Unclean() || s.CountState() == blocked.Exact || lost(s, span(0, 30)) > 0 {
			t.Fatalf("in use = %d: %v", x, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if lost(verified(t, path), span(0, 30)) > 0 {
			t.Fatalf("in use = %d: keys are lost", x)
		}
	}
}

// Behind the blocks nothing is without a check either.
func TestEveryChangedByteOfTheFooterIsRefused(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 2*1024 + 1, K: 6}, 1000), nil)
	v := newVictim(t, path, whole)
	for at := format.FileAlign + (2*1024+1)*64; at < len(whole); at++ {
		for _, x := range values(whole[at], true) {
			v.with(t, []byte{x}, at, func() {
				refused(t, path, "VerifyAll")
				refused(t, path, "VerifyLazy")
				refusedShared(t, path)
			})
			if t.Failed() {
				t.Fatalf("byte %d changed from %#02x to %#02x", at, whole[at], x)
			}
		}
	}
}

func TestEveryChangedByteOfTheBlocksIsRefused(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 1024 + 2, K: 6}, 1000), nil)
	v := newVictim(t, path, whole)
	r := dice(1)
	step := 41
	if thorough() {
		step = 1
	}
	for at := format.FileAlign; at < format.FileAlign+(1024+2)*64; at += step {
		x := whole[at] ^ byte(1+r.IntN(255))
		v.with(t, []byte{x}, at, func() {
			refused(t, path, "VerifyAll")
			refusedShared(t, path)
		})
		if t.Failed() {
			t.Fatalf("byte %d changed from %#02x to %#02x", at, whole[at], x)
		}
	}
}

// A file cut short at any length is refused, whoever opens it and whatever is
// checked; only degraded mode may take it.
func TestEveryTruncationIsRefused(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 3, K: 5}, 30), nil)
	for n := len(whole) - 1; n >= 0; n-- {
		if err := os.Truncate(path, int64(n)); err != nil {
			t.Fatal(err)
		}
		for way, opts := range ways {
			if !opts.Degraded {
				refused(t, path, way)
			}
		}
		refusedShared(t, path)
		if n < format.FileAlign {
			refused(t, path, "Degraded")
		}
		if t.Failed() {
			t.Fatalf("%d of %d bytes", n, len(whole))
		}
	}
}

func TestTrailingBytesAreRefused(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 1024 + 3, K: 5}, 30), nil)
	for _, tail := range [][]byte{{0}, {'\n'}, make([]byte, 16), make([]byte, 4096), whole[len(whole)-16:], whole} {
		write(t, path, append(bytes.Clone(whole), tail...))
		for way, opts := range ways {
			if !opts.Degraded {
				refused(t, path, way)
			}
		}
		refusedShared(t, path)
	}
}

// Chunks that are whole, but not where they belong.
func TestSwappedChunksAreRefused(t *testing.T) {
	t.Parallel()
	const chunks = 4
	p := blocked.Params{Blocks: chunks * 1024, K: 6}
	path, whole := saved(t, filled(t, p, 20_000), nil)
	_, other := saved(t, filled(t, p, 30_000), nil)
	chunk := func(p []byte, i int) []byte {
		return p[format.FileAlign+i*format.ChunkBytes:][:format.ChunkBytes]
	}
	for i := range chunks {
		for j := range i {
			p := bytes.Clone(whole)
			copy(chunk(p, i), chunk(whole, j))
			copy(chunk(p, j), chunk(whole, i))
			write(t, path, p)
			refused(t, path, "VerifyAll")
			refusedShared(t, path)
		}
		p := bytes.Clone(whole)
		copy(chunk(p, i), chunk(other, i)) // of another filter
		write(t, path, p)
		refused(t, path, "VerifyAll")
		refusedShared(t, path)
	}
}

// The blocks and checksums of one filter behind the header of another of the same
// size: the trailer knows which header it belongs to.
func TestAHeaderOfAnotherFilterIsRefused(t *testing.T) {
	t.Parallel()
	p := blocked.Params{Blocks: 100, K: 6}
	path, whole := saved(t, filled(t, p, 500), nil)
	p.Seed++
	_, other := saved(t, filled(t, p, 500), nil)
	write(t, path, append(bytes.Clone(other[:format.FileAlign]), whole[format.FileAlign:]...))
	refused(t, path, "VerifyAll")
	refused(t, path, "VerifyLazy")
	refusedShared(t, path)
}

// Who cannot open a file does not use it: the next one is alone, and checks it
// too. It would take a damaged file otherwise, and not mark it as in use.
func TestADamagedFileIsRefusedByTheNextAsWell(t *testing.T) {
	t.Parallel()
	path, whole := saved(t, filled(t, blocked.Params{Blocks: 100, K: 6}, 500), nil)
	p := bytes.Clone(whole)
	p[format.FileAlign+1000] ^= 1
	write(t, path, p)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := openShared(f); err == nil {
		t.Fatal("a damaged file was opened")
	}
	refusedShared(t, path) // while the first has not closed it yet
}
