package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dedupModes are the ways to run dedup that must print the same.
func dedupModes(t *testing.T) map[string][]string {
	modes := map[string][]string{
		"in memory":        nil,
		"exact":            {"--exact"},
		"exact, no memory": {"--exact", "--memory", "64KiB"},
	}
	if shareable() {
		modes["state"] = []string{"--state", filepath.Join(t.TempDir(), "state")}
	}
	return modes
}

func TestDedup(t *testing.T) {
	some := file(t, "a\nb\na\n")
	open := file(t, "a\nc") // without a newline
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"standard input", "a\nb\na\nc\nb\n", nil, 0, "a\nb\nc\n", ""},
		{"no last newline", "a\nb", nil, 0, "a\nb", ""},
		{"no last newline, dropped", "a\nb\na", nil, 0, "a\nb\n", ""},
		{"no newline in the middle", "x", []string{open, some, "-"}, 0, "a\nc\nb\nx", ""},
		{"a line with and without newline is one", "", []string{open, some, open, some}, 0, "a\nc\nb\n", ""},
		{"empty lines", "\n\na\n\n", nil, 0, "\na\n", ""},
		{"an empty input", "", nil, 1, "", ""},
		{"only repetitions", "a\nb\na\na\nb\nc", []string{"-d"}, 0, "a\na\nb\n", ""},
		{"no repetitions", "a\nb\n", []string{"-d"}, 1, "", ""},
		{"NUL", "a\nb\x00c\x00a\nb\x00", []string{"-0"}, 0, "a\nb\x00c\x00", ""},
		{"NUL bytes in lines", "a\x00b\na\na\x00b\n", nil, 0, "a\x00b\na\n", ""},
		{"invalid UTF-8", "\xff\n\xfe\n\xff\n", nil, 0, "\xff\n\xfe\n", ""},
		{"carriage returns", "a\r\na\nb\r\n", []string{"--crlf"}, 0, "a\r\nb\r\n", ""},
		{"a field", "1,x,p\n2,y,q\n3,x,r\n4\n5\n", []string{"-f", "2", "-t", ","}, 0, "1,x,p\n2,y,q\n4\n", ""},
		{"a missing file in the middle", "", []string{some, missing, open}, 2, "a\nb\nc", "no such file"},
	} {
		for mode, flags := range dedupModes(t) {
			code, out, err := command(c.stdin, append(append([]string{"dedup"}, flags...), c.args...)...)
			if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" {
				t.Errorf("%s, %s: exit %d, out %q, err %q; want %d, %q, %q", c.name, mode, code, out, err, c.code, c.out, c.err)
			}
			if strings.Count(err, "\n") > 1 {
				t.Errorf("%s: the error is more than one line: %q", c.name, err)
			}
		}
	}
	for _, args := range [][]string{
		{"-p", "0"}, {"-p", "1e-13"}, {"-p", "NaN"}, {"--exact", "-p", "0.1"}, {"--exact", "--state", "x"},
		{"--state", "x", "--memory", "1G"}, {"--state", "-"}, {"-f", "0"},
	} {
		if code, out, err := command("a\n", append([]string{"dedup"}, args...)...); code != 2 || out != "" || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, err)
		}
	}
}

// repeating returns lines of which some repeat, and what is left of them.
func repeating(n int) (lines, want string) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[string]bool{}
	var all, left strings.Builder
	for range n {
		x := r.IntN(n / 2)
		line := fmt.Sprintf("%x%s\n", uint64(x)*0x9E3779B97F4A7C15, strings.Repeat("y", x%50))
		all.WriteString(line)
		if !seen[line] {
			seen[line] = true
			left.WriteString(line)
		}
	}
	return all.String(), left.String()
}

func TestDedupAgainstAnExactSet(t *testing.T) {
	lines, want := repeating(300_000)
	for mode, flags := range dedupModes(t) {
		code, out, err := command(lines, append([]string{"dedup"}, flags...)...)
		if code != 0 || err != "" || out != want {
			t.Errorf("%s: exit %d, %q, %d bytes of output, want %d", mode, code, err, len(out), len(want))
		}
	}
}

// At a high rate lines are dropped wrongly, about as many as --stats expects, and
// none with --exact.
func TestDedupExpectsWhatItDropsWrongly(t *testing.T) {
	lines, want := repeating(300_000)
	_, out, stats := command(lines, "dedup", "-p", "0.1", "--json")
	var said tally
	if err := json.Unmarshal([]byte(stats), &said); err != nil {
		t.Fatalf("%v: %s", err, stats)
	}
	wrongly := float64(strings.Count(want, "\n") - strings.Count(out, "\n"))
	t.Logf("%.0f lines are dropped wrongly, %.0f expected", wrongly, said.Wrongly)
	if said.In != 300_000 || said.Out != uint64(strings.Count(out, "\n")) || said.In != said.Out+said.Dropped {
		t.Errorf("%+v", said)
	}
	if wrongly < 100 || wrongly > 0.1*float64(said.In) || said.Wrongly < 0.7*wrongly || said.Wrongly > 2*wrongly {
		t.Errorf("%.0f lines are dropped wrongly, %g expected", wrongly, said.Wrongly)
	}
	_, out, stats = command(lines, "dedup", "--exact", "--stats")
	if out != want || !strings.Contains(stats, "wrongly, as expected: none") {
		t.Errorf("%d bytes of output, want %d; %s", len(out), len(want), stats)
	}
}

// A filter that may not grow is an error, and no line is dropped for it.
func TestDedupThatIsFullSaysSo(t *testing.T) {
	lines, _ := repeating(300_000)
	code, _, err := command(lines, "dedup", "--memory", "1MiB")
	if code != 2 || !strings.Contains(err, "--exact") || strings.Count(err, "\n") != 1 {
		t.Errorf("exit %d, %q", code, err)
	}
}

func TestDedupLeavesNoTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	lines, _ := repeating(20_000)
	command(lines, "dedup", "--exact", "--memory", "64KiB")
	run([]string{"dedup", "--exact"}, streams{strings.NewReader(lines), &badWriter{left: 10}, io.Discard})
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	if code, out, err := command(lines, "dedup", "--exact"); code != 2 || out != "" || !strings.Contains(err, "temporary") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

func TestDedupTellsOfAFullDisk(t *testing.T) {
	for mode, flags := range dedupModes(t) {
		var err bytes.Buffer
		code := run(append([]string{"dedup"}, flags...), streams{strings.NewReader("a\nb\n"), &badWriter{left: 1}, &err})
		if code != 2 || !strings.Contains(err.String(), "writing the output: no space left") {
			t.Errorf("%s: exit %d, %q", mode, code, err.String())
		}
	}
}

func TestDedupTakesLongLines(t *testing.T) {
	long := strings.Repeat("long ", 4<<20) // 20 MiB
	for mode, flags := range dedupModes(t) {
		code, out, err := command(long+"!\n"+long+"\nend\n"+long, append([]string{"dedup"}, flags...)...)
		if code != 0 || err != "" || out != long+"!\n"+long+"\nend\n" {
			t.Errorf("%s: exit %d, %q, %d bytes of output", mode, code, err, len(out))
		}
	}
}

// A slow stream is answered line by line, before it ends.
func TestDedupAnswersASlowStreamAtOnce(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go run([]string{"dedup"}, streams{inR, outW, io.Discard})
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
	for _, c := range [][2]string{{"a\n", "a\n"}, {"b\n", "b\n"}, {"a\nc\n", "c\n"}} {
		io.WriteString(inW, c[0])
		select {
		case got := <-answers:
			if got != c[1] {
				t.Fatalf("answer %q to %q, want %q", got, c[0], c[1])
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no answer to %q", c[0])
		}
	}
	inW.Close()
}
