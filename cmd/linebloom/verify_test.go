package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVerifyGivesAVerdictOnEachFile(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, change func([]byte) []byte) string {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(built(t, count(5000)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(b), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte {
			b[(at+len(b))%len(b)] ^= 1
			return b
		}
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	whole := make("whole", func(b []byte) []byte { return b })
	for _, c := range []struct {
		path     string
		code     int
		out, err string // in them
	}{
		{whole, 0, "whole: whole\n", ""},
		{make("block", flip(5000)), 1, "block: damaged: blocks 0 to ", ""},
		{make("header", flip(40)), 1, "header: damaged: checksum of the header", ""},
		{make("magic", flip(3)), 1, "magic: damaged: begins with ", ""},
		{make("padding", flip(1000)), 1, "padding: damaged: checksum of the metadata", ""},
		{make("end", flip(-1)), 1, "end: damaged: ends with ", ""},
		{make("longer", func(b []byte) []byte { return append(b, 0) }), 1, "longer: damaged: ", ""},
		{make("shorter", cut(6000)), 1, "shorter: damaged: 6000 bytes", ""},
		{make("a header", cut(50)), 1, "a header: damaged: ", ""},
		{make("four bytes", cut(4)), 1, "four bytes: damaged: ", ""},
		{make("nothing", cut(0)), 1, "nothing: damaged: ", ""},
		{make("version", func(b []byte) []byte {
			binary.LittleEndian.PutUint16(b[8:], 2)
			return b
		}), 2, "", "version 2 of the format"},
		{file(t, "some text\n"), 2, "", "is not a filter file"},
		{file(t, "\x93\x1c\xf0"), 2, "", "is not a filter file"},
		{dir, 2, "", "is a directory"},
		{filepath.Join(dir, "missing"), 2, "", "no such file"},
		{os.DevNull, 2, "", "is not a regular file"},
		{"-", 2, "", "cannot come from standard input"},
	} {
		code, out, err := command("", "verify", c.path)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(err, c.err) ||
			strings.Count(out+err, "\n") != 1 || (c.out == "") != (out == "") {
			t.Errorf("%s: exit %d, %q, %q; want %d, %q, %q", c.path, code, out, err, c.code, c.out, c.err)
		}
		if code, out, _ := command("", "verify", "-q", c.path); code != c.code || out != "" {
			t.Errorf("%s: quietly: exit %d, %q", c.path, code, out)
		}
	}

	block, missing := filepath.Join(dir, "block"), filepath.Join(dir, "missing")
	code, out, err := command("", "verify", whole, block, whole)
	if code != 1 || strings.Count(out, "\n") != 3 || err != "" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	code, out, err = command("", "verify", missing, block, whole)
	if code != 2 || strings.Count(out, "\n") != 2 || strings.Count(err, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, _, err = command("", "verify"); code != 2 || !strings.Contains(err, "name the filter files") {
		t.Errorf("exit %d, %q", code, err)
	}
}

func TestVerifyJSON(t *testing.T) {
	whole, bad := built(t, count(5000)), built(t, count(5000))
	damage(t, bad, 5000)
	code, out, err := command("", "verify", "--json", whole, bad, "missing")
	objects := json.NewDecoder(strings.NewReader(out))
	var a, b, c verdictOnFile
	if e := errors.Join(objects.Decode(&a), objects.Decode(&b)); e != nil || objects.Decode(&c) != io.EOF {
		t.Fatalf("%v\n%s", e, out)
	}
	if code != 2 || strings.Count(err, "\n") != 1 || a != (verdictOnFile{File: whole, Whole: true}) ||
		b.Whole || b.File != bad || !strings.Contains(b.Damage, "are damaged") {
		t.Errorf("exit %d, %q, %+v, %+v", code, err, a, b)
	}
	if code, _, err := command("", "verify", "--json", "-q", whole); code != 2 || strings.Count(err, "\n") != 1 {
		t.Errorf("exit %d, %q", code, err)
	}
}

// What takes no filters of other programs says who does.
func TestForeignFiltersAreNamed(t *testing.T) {
	container := filepath.Join(t.TempDir(), "f.lbi")
	if code, _, err := command("", "import", "-q", "-o", container, testdata(t, "tiny.bloom")); code != 0 {
		t.Fatalf("exit %d, %q", code, err)
	}
	for _, path := range []string{testdata(t, "tiny.bloom"), container, file(t, "MBITARRAY...")} {
		for _, args := range [][]string{{"verify", path}, {"merge", "--or", "-o", filepath.Join(t.TempDir(), "x"), path, path}} {
			code, out, err := command("", args...)
			if code != 2 || out != "" || !strings.Contains(err, "is not a filter file of this library, but of another program; check, audit and info take it") {
				t.Errorf("%v: exit %d, %q, %q", args, code, out, err)
			}
		}
	}
}

func TestVerifyCannotJudgeAFileInUse(t *testing.T) {
	name := built(t, "a\n")
	s := share(t, name)
	code, out, err := command("", "verify", name)
	if code != 2 || out != "" || !strings.Contains(err, "not closed") || !strings.Contains(err, "linebloom add "+name+" </dev/null") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	s.Close()
	if code, out, err := command("", "verify", name); code != 0 || err != "" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}
