package main

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// longLine is the length of a long line: a GB if LINEBLOOM_LONG is set, which
// takes 3 GB of memory.
func longLine() int64 {
	if os.Getenv("LINEBLOOM_LONG") != "" {
		return 1_000_000_000
	}
	return 10_000_000
}

// letters are what a pattern repeats.
var letters = strings.Repeat("abcdefghijklmnopqrstuvwxyz\x00\xff.", 10_000)

// pattern is a stream of letters without an end.
type pattern struct{ at int }

func (p *pattern) Read(b []byte) (int, error) {
	n := copy(b, letters[p.at:])
	p.at = (p.at + n) % len(letters)
	return n, nil
}

// longStream is a short line, a long one, and a short one.
func longStream(end string) io.Reader {
	return io.MultiReader(strings.NewReader("short\n"), io.LimitReader(&pattern{}, longLine()), strings.NewReader(end+"\nlast"))
}

// summed is an output of which only the length and a checksum are kept.
type summed struct {
	sum maphash.Hash
	n   int64
}

func (s *summed) Write(p []byte) (int, error) {
	s.sum.Write(p)
	s.n += int64(len(p))
	return len(p), nil
}

// A line of a GB is a line, to every command, and is printed whole.
func TestALineOfAGigabyte(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.lbf")
	var errs bytes.Buffer
	seed := maphash.MakeSeed()
	do := func(in io.Reader, args ...string) (int, *summed) {
		out := &summed{}
		out.sum.SetSeed(seed)
		return run(args, streams{in, out, &errs}), out
	}
	if code, _ := do(longStream("!"), "build", "-q", "-p", "1e-8", "-o", name); code != 0 || errs.Len() > 0 {
		t.Fatalf("build: exit %d, %s", code, errs.String())
	}
	want := &summed{}
	want.sum.SetSeed(seed)
	io.Copy(want, longStream("!"))
	want.Write([]byte("\n"))
	if code, out := do(longStream("!"), "check", name); code != 0 || out.n != want.n || out.sum.Sum64() != want.sum.Sum64() {
		t.Errorf("check: exit %d, %d bytes, want %d: %s", code, out.n, want.n, errs.String())
	}
	// Another line, and the key within one.
	if code, out := do(longStream("?"), "check", name); code != 0 || out.n != int64(len("short\nlast\n")) {
		t.Errorf("check of another line: exit %d, %d bytes: %s", code, out.n, errs.String())
	}
	if code, out := do(longStream("\tlast"), "check", "-f", "2", name); code != 0 || out.n != longLine()+int64(len("\tlast\n")) {
		t.Errorf("check of its field: exit %d, %d bytes: %s", code, out.n, errs.String())
	}
	errs.Reset()
	if code, out := do(longStream("?"), "audit", name, "--absent", "-"); code != 0 || out.n != int64(len("short\nlast\n")) || !strings.Contains(errs.String(), "2 of 3 lines are wrong") {
		t.Errorf("audit: exit %d: %s", code, errs.String())
	}
}

// A line that does not end is an error before it takes all memory.
func TestALineThatNeverEndsIsAnError(t *testing.T) {
	most := longestLine
	longestLine = func() uint64 { return 4 << 20 }
	defer func() { longestLine = most }()
	var out, errs bytes.Buffer
	code := run([]string{"check", "--keys", file(t, "short\n")}, streams{io.MultiReader(strings.NewReader("short\n"), &pattern{}), &out, &errs})
	if code != 2 || out.String() != "short\n" || !strings.Contains(errs.String(), "too long for the memory of this machine: 4,") {
		t.Errorf("exit %d, %q, %q", code, out.String(), errs.String())
	}
	l := newLineReader(&pattern{}, '\n')
	if _, err := l.next(nil); !errors.Is(err, errLongLine) {
		t.Error(err)
	}
}
