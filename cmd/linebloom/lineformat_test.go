package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func zstandard(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// named writes a file with a name of its own.
func named(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestKeysOfLines(t *testing.T) {
	for _, c := range []struct {
		format    lineFormat
		line, key string
	}{
		{lineFormat{}, "a\tb\r", "a\tb\r"},
		{lineFormat{crlf: true}, "a\r", "a"},
		{lineFormat{crlf: true}, "a\r\r", "a\r"},
		{lineFormat{crlf: true}, "a", "a"},
		{lineFormat{field: 1, delim: "\t"}, "a\tb\tc", "a"},
		{lineFormat{field: 2, delim: "\t"}, "a\tb\tc", "b"},
		{lineFormat{field: 3, delim: "\t"}, "a\tb\tc", "c"},
		{lineFormat{field: 4, delim: "\t"}, "a\tb\tc", ""},
		{lineFormat{field: 2, delim: "\t"}, "a\t\tc", ""},
		{lineFormat{field: 1, delim: ","}, "", ""},
		{lineFormat{field: 2, delim: "::"}, "a::b:c::d", "b:c"},
		{lineFormat{field: 2, delim: ",", crlf: true}, "a,b\r", "b"},
		{lineFormat{field: 1, delim: "\x00"}, "a\x00\xff", "a"},
		{lineFormat{field: 2, delim: "\xff"}, "a\xff\xfe", "\xfe"},
	} {
		if got := string(c.format.key([]byte(c.line))); got != c.key {
			t.Errorf("%+v: the key of %q is %q, want %q", c.format, c.line, got, c.key)
		}
	}
}

// The rules of inputs are those of every command.
func TestInputRulesOfCheck(t *testing.T) {
	keys := file(t, "apple\nnul\x00byte\n\xff\xfe\nlast")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"gzip by name", "", []string{named(t, "a.gz", gzipped(t, "fig\napple\n"))}, 0, "apple\n", ""},
		{"zstd by name", "", []string{named(t, "a.zst", zstandard(t, "fig\napple"))}, 0, "apple\n", ""},
		{"gzip by its first bytes", "", []string{file(t, gzipped(t, "apple\n"))}, 0, "apple\n", ""},
		{"zstd by its first bytes", zstandard(t, "apple\nx\n"), nil, 0, "apple\n", ""},
		{"several members of gzip", gzipped(t, "apple\nla") + gzipped(t, "st\n"), nil, 0, "apple\nlast\n", ""},
		{"several frames of zstd", zstandard(t, "apple\nla") + zstandard(t, "st\n"), nil, 0, "apple\nlast\n", ""},
		{"compressed nothing", gzipped(t, ""), nil, 1, "", ""},
		{"taken as it is", gzipped(t, "apple\n"), []string{"--plain"}, 1, "", ""},
		{"first bytes of a magic number", "(\xb5/\napple\n\x1f", nil, 0, "apple\n", ""},
		{"cut gzip", gzipped(t, "apple\nfig\n")[:25], nil, 2, "apple\n", "standard input: bad gzip data: unexpected EOF"},
		{"cut gzip header", gzipped(t, "apple\n")[:5], nil, 2, "", "bad gzip data"},
		{"cut zstd", zstandard(t, "apple\n")[:8], nil, 2, "", "bad zstd data"},
		{"text called gz", "", []string{named(t, "a.gz", "apple\n")}, 2, "", "a.gz: bad gzip data: "},
		{"text called gz, taken as it is", "", []string{"--plain", named(t, "a.gz", "apple\n")}, 0, "apple\n", ""},
		{"text called zst", "", []string{named(t, "a.zst", "apple\n")}, 2, "", "a.zst: bad zstd data: "},
		{"nothing called gz", "", []string{named(t, "a.gz", "")}, 2, "", "it is empty"},
		{"a bad one in the middle", "", []string{named(t, "a.gz", gzipped(t, "apple\n")), named(t, "b.gz", "x"), named(t, "c", "last")}, 2, "apple\nlast\n", "b.gz: bad gzip data"},
		{"NUL ends lines", "apple\x00fig\x00a\nb\x00last", []string{"-0"}, 0, "apple\x00", ""},
		{"invalid UTF-8", "\xff\xfe\n\xff\n", nil, 0, "\xff\xfe\n", ""},
		{"NUL bytes", "nul\x00byte\n", nil, 0, "nul\x00byte\n", ""},
		{"carriage returns", "apple\r\nlast\r\n", nil, 1, "", ""},
		{"carriage returns, no part of the key", "apple\r\nlast\r\nfig\r\n", []string{"--crlf"}, 0, "apple\r\nlast\r\n", ""},
		{"a field", "1\tapple\tx\n2\tfig\tapple\n", []string{"-f", "2"}, 0, "1\tapple\tx\n", ""},
		{"a field of CSV", "1,apple\napple\n", []string{"-f2", "-t,"}, 0, "1,apple\n", ""},
		{"a tab by name", "1\tapple\n", []string{"-f", "2", "-t", `\t`}, 0, "1\tapple\n", ""},
		{"a field of lines with CR", "1,apple\r\n", []string{"-f2", "-t,", "--crlf"}, 0, "1,apple\r\n", ""},
		{"field 0", "", []string{"-f", "0"}, 2, "", "--field is 0, want 1"},
		{"a delimiter alone", "", []string{"-t", ","}, 2, "", "--delimiter is for --field"},
		{"no delimiter", "", []string{"-f", "1", "-t", ""}, 2, "", "--delimiter is empty"},
		{"two ends of lines", "", []string{"-0", "--crlf"}, 2, "", "not for --null"},
	} {
		code, out, err := command(c.stdin, append([]string{"check", "--keys", keys, "-p", "1e-8"}, c.args...)...)
		if c.name == "NUL ends lines" { // KEYS too
			code, out, err = command(c.stdin, "check", "--keys", file(t, "apple\x00fine"), "-p", "1e-8", "-0")
		}
		if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" || strings.Count(err, "\n") > 1 {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
	}
}

// Build and add find the same keys in the same inputs.
func TestInputRulesOfBuildAndAdd(t *testing.T) {
	for _, c := range []struct {
		name, input string
		args        []string
		keys        []string
	}{
		{"gzip", gzipped(t, "a\nb\n"), nil, []string{"a", "b"}},
		{"zstd", zstandard(t, "a\nb"), nil, []string{"a", "b"}},
		{"NUL", "a\x00b\nc\x00d", []string{"-0"}, []string{"a", "b\nc", "d"}},
		{"carriage returns", "a\r\nb\n\r\n", []string{"--crlf"}, []string{"a", "b", ""}},
		{"a field", "1,a\n2,b,3\n4\n", []string{"-f", "2", "-t", ","}, []string{"a", "b", ""}},
		{"a field, as it is", gzipped(t, "x"), []string{"--plain", "-f", "2", "-t", "\x08"}, nil},
	} {
		made := built(t, c.input, append(c.args, "-p", "1e-8")...)
		filters := []string{made}
		if shareable() {
			added := built(t, "", "-n", "100", "-p", "1e-8")
			if code, _, err := command(c.input, append([]string{"add", added}, c.args...)...); code != 0 {
				t.Fatalf("%s: exit %d, %q", c.name, code, err)
			}
			filters = append(filters, added)
		}
		for _, name := range filters {
			f := opened(t, name)
			for _, key := range c.keys {
				if !f.HasString(key) {
					t.Errorf("%s: %q is missing", c.name, key)
				}
			}
			if n := f.EstimateCount(); c.keys != nil && int(n+0.5) != len(c.keys) {
				t.Errorf("%s: about %g keys, want %d", c.name, n, len(c.keys))
			}
		}
	}
	// Of half an input no filter is made.
	name := filepath.Join(t.TempDir(), "f")
	if code, _, err := command(gzipped(t, count(1000))[:500], "build", "-o", name); code != 2 || !strings.Contains(err, "no filter was saved") {
		t.Errorf("exit %d, %q", code, err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a filter was saved")
	}
}

// A slow stream whose first bytes might be those of a compressed one is answered
// when its line is whole.
func TestASlowStreamNeedNotTellWhatItIs(t *testing.T) {
	for _, line := range []string{"a", "(", "(\xb5", "\x1f", ""} {
		in, input := io.Pipe()
		output, out := io.Pipe()
		done := make(chan int)
		go func() {
			done <- run([]string{"check", "--keys", file(t, line+"\n")}, streams{in, out, io.Discard})
		}()
		answer := make(chan string)
		go func() {
			buf := make([]byte, 10)
			n, _ := output.Read(buf)
			answer <- string(buf[:n])
		}()
		for _, b := range []byte(line + "\n") {
			input.Write([]byte{b})
		}
		select {
		case got := <-answer:
			if got != line+"\n" {
				t.Errorf("answer %q to %q", got, line)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no answer to %q", line)
		}
		input.Close()
		if code := <-done; code != 0 {
			t.Errorf("%q: exit %d", line, code)
		}
	}
}
