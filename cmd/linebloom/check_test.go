package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// command runs the command and returns its exit code and what it wrote.
func command(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, streams{strings.NewReader(stdin), &out, &err})
	return code, out.String(), err.String()
}

// file writes text to a new file and returns its name.
func file(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCheckKeepsGrepsContract(t *testing.T) {
	keys := file(t, "apple\nbanana\n\nnul\x00byte\nlast")
	some := file(t, "cherry\nbanana\ndate\nlast")
	none := file(t, "cherry\ndate\n")
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"some", "", []string{some}, 0, "banana\nlast\n", ""},
		{"none", "", []string{none}, 1, "", ""},
		{"inverted", "", []string{"-v", some}, 0, "cherry\ndate\n", ""},
		{"inverted, none", "banana\n", []string{"-v"}, 1, "", ""},
		{"count", "", []string{"-c", some, none}, 0, "2\n", ""},
		{"count none", "", []string{"-c", none}, 1, "0\n", ""},
		{"count inverted", "", []string{"-cv", some, none}, 0, "4\n", ""},
		{"quiet some", "", []string{"-q", some}, 0, "", ""},
		{"quiet none", "", []string{"-q", none}, 1, "", ""},
		{"quiet and count", "", []string{"-qc", some}, 0, "", ""},
		{"stdin", "apple\nfig\n", nil, 0, "apple\n", ""},
		{"stdin by name", "apple\nfig\n", []string{some, "-", some}, 0, "banana\nlast\napple\nbanana\nlast\n", ""},
		{"no last newline", "fig\napple", nil, 0, "apple\n", ""},
		{"empty line", "fig\n\nfig\n", nil, 0, "\n", ""},
		{"empty input", "", nil, 1, "", ""},
		{"NUL bytes", "nul\x00byte\nnul\nnul\x00\n", nil, 0, "nul\x00byte\n", ""},
		{"carriage returns are bytes", "apple\r\nbanana\n", nil, 0, "banana\n", ""},
		{"missing in the middle", "", []string{some, missing, some}, 2, "banana\nlast\nbanana\nlast\n", "no such file"},
		{"missing, quiet, found", "", []string{"-q", missing, some}, 0, "", "no such file"},
		{"missing, quiet, not found", "", []string{"-q", missing, none}, 2, "", "no such file"},
		{"a folder", "", []string{t.TempDir(), some}, 2, "banana\nlast\n", "is a directory"},
		{"bad rate", "", []string{"-p", "0", some}, 2, "", "false positive rate is 0"},
		{"rate of NaN", "", []string{"-p", "NaN", some}, 2, "", "false positive rate is NaN"},
		{"unknown flag", "", []string{"--no-such-flag"}, 2, "", "unknown flag"},
	} {
		code, out, err := command(c.stdin, append([]string{"check", "--keys", keys}, c.args...)...)
		if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
		if strings.Count(err, "\n") > 1 {
			t.Errorf("%s: the error is more than one line: %q", c.name, err)
		}
	}
}

func TestCheckKeys(t *testing.T) {
	input := file(t, "a\nb\n")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"none at all", "", nil, 2, "", "name a filter file, or a text file of keys with --keys"},
		{"an input alone", "", []string{input}, 2, "", "is not a filter file"},
		{"a missing file", "", []string{"--keys", filepath.Join(t.TempDir(), "missing"), input}, 2, "", "no such file"},
		{"an empty file", "", []string{"--keys", file(t, ""), input}, 1, "", ""},
		{"an empty file, inverted", "", []string{"-v", "--keys", file(t, ""), input}, 0, "a\nb\n", ""},
		{"one empty line", "x\n\n", []string{"--keys", file(t, "\n")}, 0, "\n", ""},
		{"standard input", "b\n", []string{"--keys", "-", input}, 0, "b\n", ""},
		{"standard input for both", "b\n", []string{"--keys", "-"}, 2, "", "cannot be both"},
		{"standard input for both, by name", "b\n", []string{"--keys", "-", input, "-"}, 2, "", "cannot be both"},
	} {
		code, out, err := command(c.stdin, append([]string{"check"}, c.args...)...)
		if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
	}
}

// No line that is among the keys is left out, and hardly any other printed.
func TestCheckAgainstAnExactSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var keys, input, want strings.Builder
	for i := range 200_000 {
		line := fmt.Sprintf("%x%s", r.Uint64(), strings.Repeat("x", r.IntN(60)))
		input.WriteString(line + "\n")
		if i%3 == 0 {
			keys.WriteString(line + "\n")
			want.WriteString(line + "\n")
		}
	}
	code, out, err := command(input.String(), "check", "--keys", file(t, keys.String()), "-p", "1e-8")
	if code != 0 || err != "" || out != want.String() {
		t.Errorf("exit %d, %q, %d bytes of output, want %d", code, err, len(out), want.Len())
	}
	code, out, _ = command(input.String(), "check", "--keys", file(t, keys.String()), "-p", "0.1")
	wrong := float64(strings.Count(out, "\n") - strings.Count(want.String(), "\n"))
	if absent := 200_000. * 2 / 3; code != 0 || wrong < 0.09*absent || wrong > 0.11*absent {
		t.Errorf("exit %d, %.0f lines printed wrongly at a rate of 0.1", code, wrong)
	}
}

func TestCheckTakesLongLines(t *testing.T) {
	long := strings.Repeat("long ", 10<<20) // 50 MiB
	keys := file(t, "short\n"+long+"\n"+"end")
	code, out, err := command(long+"!\n"+long+"\nend\n"+long, "check", "--keys", keys)
	if code != 0 || err != "" || out != long+"\nend\n"+long+"\n" {
		t.Errorf("exit %d, %q, %d bytes of output", code, err, len(out))
	}
}

// badWriter takes some bytes and then fails, as a full disk does.
type badWriter struct{ left int }

var errFull = errors.New("no space left on device")

func (w *badWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestCheckTellsOfAFullDisk(t *testing.T) {
	keys := file(t, "a\n")
	for _, args := range [][]string{{}, {"-c"}} {
		var err bytes.Buffer
		code := run(append([]string{"check", "--keys", keys}, args...),
			streams{strings.NewReader(strings.Repeat("a\n", 1000)), &badWriter{left: 1}, &err})
		if code != 2 || !strings.Contains(err.String(), "writing the output: no space left") {
			t.Errorf("%v: exit %d, %q", args, code, err.String())
		}
	}
}

// badReader gives some lines and then an error.
type badReader struct{ text io.Reader }

func (r badReader) Read(p []byte) (int, error) {
	n, err := r.text.Read(p)
	if err == io.EOF {
		err = errors.New("input/output error")
	}
	return n, err
}

func TestCheckTellsOfABadInput(t *testing.T) {
	var out, err bytes.Buffer
	code := run([]string{"check", "--keys", file(t, "a\nb\n")},
		streams{badReader{strings.NewReader("a\nb\n")}, &out, &err})
	if code != 2 || out.String() != "a\nb\n" || !strings.Contains(err.String(), "input/output error") {
		t.Errorf("exit %d, %q, %q", code, out.String(), err.String())
	}
	// Keys that could not be read whole select nothing: absent would be a lie.
	out.Reset()
	code = run([]string{"check", "-v", "--keys", "-", file(t, "a\nz\n")},
		streams{badReader{strings.NewReader("a\nb\n")}, &out, &err})
	if code != 2 || out.Len() != 0 {
		t.Errorf("with half of the keys: exit %d, %q", code, out.String())
	}
}

// A slow stream is answered line by line, before it ends.
func TestCheckAnswersASlowStreamAtOnce(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan int)
	go func() {
		code := run([]string{"check", "--keys", file(t, "a\nb\n")}, streams{inR, outW, io.Discard})
		outW.Close()
		done <- code
	}()
	answers := make(chan string)
	go func() {
		buf := make([]byte, 100)
		for {
			n, err := outR.Read(buf)
			if err != nil {
				return
			}
			answers <- string(buf[:n])
		}
	}()
	for _, line := range []string{"a\n", "b\n", "a\n"} {
		io.WriteString(inW, line)
		select {
		case got := <-answers:
			if got != line {
				t.Fatalf("answer %q to %q", got, line)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no answer to %q", line)
		}
	}
	inW.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit %d", code)
	}
}
