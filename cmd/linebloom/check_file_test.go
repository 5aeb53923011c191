package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/filterfile"
)

func TestCheckAnswersFromAFile(t *testing.T) {
	name := built(t, "apple\nbanana\n\nlast", "-p", "1e-8")
	some := file(t, "cherry\nbanana\ndate\nlast")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"some", "", []string{name, some}, 0, "banana\nlast\n", ""},
		{"none", "cherry\n", []string{name}, 1, "", ""},
		{"inverted", "", []string{"-v", name, some}, 0, "cherry\ndate\n", ""},
		{"count", "", []string{"-c", name, some, some}, 0, "4\n", ""},
		{"quiet", "", []string{"-q", name, some}, 0, "", ""},
		{"empty line", "x\n\n", []string{name}, 0, "\n", ""},
		{"empty input", "", []string{name}, 1, "", ""},
		{"no last newline", "apple\nlast", []string{name, "-", some}, 0, "apple\nlast\nbanana\nlast\n", ""},
		{"missing input", "", []string{name, "missing", some}, 2, "banana\nlast\n", "no such file"},
		{"missing filter", "a\n", []string{filepath.Join(t.TempDir(), "missing")}, 2, "", "no such file"},
		{"text for a filter", "a\n", []string{some}, 2, "", "is not a filter file"},
		{"a folder for a filter", "a\n", []string{t.TempDir()}, 2, "", "is a directory, not a filter file"},
		{"input for a filter", "a\n", []string{"-"}, 2, "", "cannot come from standard input"},
		{"filter for an input", "", []string{name, some, name}, 2, "", "is the filter and an input too"},
		{"rate", "", []string{"-p", "0.1", name}, 2, "", "--rate is for --keys"},
		{"degraded keys", "", []string{"--keys", some, "--degraded"}, 2, "", "for filter files"},
	} {
		code, out, err := command(c.stdin, append([]string{"check"}, c.args...)...)
		if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" ||
			strings.Count(err, "\n") > 1 {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
	}
	if code, out, _ := command("a\n", "check", built(t, "")); code != 1 || out != "" {
		t.Errorf("a filter of nothing: exit %d, %q", code, out)
	}
	if _, _, err := command("a\n", "check", some); !strings.Contains(err, "--keys "+some) {
		t.Errorf("the error does not say what takes text: %q", err)
	}
}

// damage changes a bit of the file at an offset.
func damage(t *testing.T, name string, at int64) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1)
	f.ReadAt(b, at)
	b[0] ^= 0x10
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

func TestCheckRefusesADamagedFileUnlessTold(t *testing.T) {
	text := count(100_000)
	input := file(t, text+"absent\n")
	name := built(t, text)
	damage(t, name, 70_000) // in the second of three chunks
	code, out, err := command("", "check", name, input)
	if code != 2 || out != "" || !strings.Contains(err, "blocks 1024 to 2047 are damaged") || !strings.Contains(err, "--degraded") {
		t.Errorf("exit %d, %d bytes, %q", code, len(out), err)
	}
	code, out, err = command("", "check", "--degraded", name, input)
	if code != 0 || strings.TrimSuffix(out, "absent\n") != text || !strings.Contains(err, "1 of 3 chunks") || strings.Count(err, "\n") != 1 {
		t.Errorf("degraded: exit %d, %d bytes, %q", code, len(out), err)
	}

	// Of a file that is cut short no key is lost either.
	whole, _ := os.Stat(name)
	os.Truncate(name, whole.Size()/2)
	code, out, err = command("", "check", "--degraded", name, input)
	if code != 0 || strings.TrimSuffix(out, "absent\n") != text {
		t.Errorf("cut: exit %d, %d bytes, %q", code, len(out), err)
	}
	// Nothing is promised that does not help.
	os.Truncate(name, 100)
	for _, flags := range [][]string{{}, {"--degraded"}} {
		code, out, err = command("", append([]string{"check", name, input}, flags...)...)
		if code != 2 || out != "" || strings.Contains(err, "--degraded") {
			t.Errorf("cut in the header: exit %d, %d bytes, %q", code, len(out), err)
		}
	}
}

func TestCheckUsesAFileInUseOnlyIfTold(t *testing.T) {
	name := built(t, "a\n", "-n", "100", "-p", "1e-8")
	s := share(t, name)
	s.AddString("b")
	code, out, err := command("a\nb\nc\n", "check", name)
	if code != 2 || out != "" || !strings.Contains(err, "filter was not closed by those who added to it") || !strings.Contains(err, "--in-use") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, out, err = command("a\nb\nc\n", "check", "--in-use", name); code != 0 || out != "a\nb\n" || err != "" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

// share opens a file for adding.
func share(t testing.TB, name string) *filterfile.Shared {
	t.Helper()
	needSharing(t)
	s, err := filterfile.OpenShared(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Somebody truncates the file between two answers.
func TestCheckSurvivesATruncatedFile(t *testing.T) {
	needSharing(t) // elsewhere files are not mapped
	name := built(t, "a\n", "-n", "1_000_000", "-p", "1e-8")
	in, input := io.Pipe()
	output, out := io.Pipe()
	var errs bytes.Buffer
	done := make(chan int)
	go func() { done <- run([]string{"check", name}, streams{in, out, &errs}) }()
	io.WriteString(input, "a\n")
	if answer := make([]byte, 2); true {
		if _, err := io.ReadFull(output, answer); err != nil || string(answer) != "a\n" {
			t.Fatalf("answer %q, %v", answer, err)
		}
	}
	if err := os.Truncate(name, 0); err != nil {
		t.Fatal(err)
	}
	io.WriteString(input, "a\n")
	if code := <-done; code != 2 || !strings.Contains(errs.String(), "was truncated") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}
