package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// needSharing skips a test where several processes cannot share a file.
func needSharing(t testing.TB) {
	t.Helper()
	if !shareable() {
		t.Skip("no shared filter files on " + runtime.GOOS)
	}
}

func shareable() bool { return runtime.GOOS == "linux" || runtime.GOOS == "darwin" }

func TestAddTellsNewLinesFromRepeatedOnes(t *testing.T) {
	needSharing(t)
	name := built(t, "a\nb\n", "-n", "1000", "-p", "1e-8")
	input := file(t, "b\nc\nd")
	for _, c := range []struct {
		stdin string
		args  []string
		err   string
	}{
		{"", []string{name, input}, name + ": 2 new, 1 probably there before\n"},
		{"", []string{name, input}, name + ": 0 new, 3 probably there before\n"},
		{"e\ne\n\n", []string{name, input, "-"}, name + ": 2 new, 4 probably there before\n"},
		{"", []string{name}, name + ": 0 new, 0 probably there before\n"},
		{"f\n", []string{"-q", name}, ""},
		{"f\n", []string{"--create", "-n", "5", name}, name + ": 0 new, 1 probably there before\n"}, // its size stays
	} {
		code, out, err := command(c.stdin, append([]string{"add"}, c.args...)...)
		if code != 0 || out != "" || err != c.err {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, out, err, c.err)
		}
	}
	f := opened(t, name)
	for _, line := range []string{"a", "b", "c", "d", "e", "", "f"} {
		if !f.HasString(line) {
			t.Errorf("%q is lost", line)
		}
	}
	if h := f.Header(); h.Capacity != 1000 || h.Count != 7 || h.InUse {
		t.Errorf("%+v", h)
	}
}

func TestAddMakesAMissingFile(t *testing.T) {
	needSharing(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "f.lbf")
	code, _, err := command(count(100), "add", "--create", "-n", "5000", "-p", "1e-6", name)
	if code != 0 || err != name+": 100 new, 0 probably there before\n" {
		t.Fatalf("exit %d, %q", code, err)
	}
	if h := opened(t, name).Header(); h.Capacity != 5000 || h.FPRate != 1e-6 || h.Count != 100 || h.CountState != blocked.Exact {
		t.Errorf("%+v", h)
	}
	if left := contents(t, dir); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

func TestAddTellsOfAnOverfullFile(t *testing.T) {
	needSharing(t)
	name := built(t, "", "-n", "100")
	if _, _, err := command(count(100), "add", name); strings.Contains(err, "more keys") {
		t.Errorf("%q", err)
	}
	code, _, err := command(count(500), "add", name)
	if code != 0 || !strings.Contains(err, "holds more keys than the 100 it was made for, at a rate of 0.") {
		t.Errorf("exit %d, %q", code, err)
	}
}

func TestAddGoesOnAfterABadInput(t *testing.T) {
	needSharing(t)
	name := built(t, "", "-n", "100")
	code, _, err := command("", "add", name, "missing", file(t, "a\n"), t.TempDir(), file(t, "b\n"))
	if code != 2 || strings.Count(err, "\n") != 3 || !strings.Contains(err, "no such file") ||
		!strings.Contains(err, "is a directory") || !strings.HasSuffix(err, ": 2 new, 0 probably there before\n") {
		t.Errorf("exit %d, %q", code, err)
	}
	if f := opened(t, name); !f.HasString("a") || !f.HasString("b") {
		t.Error("the lines of good inputs are lost")
	}
}

func TestAddBadUse(t *testing.T) {
	needSharing(t)
	dir := t.TempDir()
	name := built(t, count(5000))
	bad := built(t, count(5000))
	damage(t, bad, 5000)
	short := built(t, count(5000))
	os.Truncate(short, 6000)
	dangling := filepath.Join(t.TempDir(), "link")
	os.Symlink("nowhere", dangling)
	missing := filepath.Join(dir, "missing")
	for _, c := range []struct {
		args []string
		err  string
	}{
		{nil, "name the filter file to add to"},
		{[]string{"-"}, "cannot come from standard input"},
		{[]string{"--create", "-n", "1", "-"}, "cannot come from standard input"},
		{[]string{missing}, "no such file or directory; --create -n N makes it"},
		{[]string{filepath.Join(missing, "f")}, "no such file"},
		{[]string{"--create", "-n", "1", filepath.Join(missing, "f")}, "no such file"},
		{[]string{"--create", "-n", "1", dangling}, "no such file"},
		{[]string{"--create", missing}, "--create needs the number of keys"},
		{[]string{"--create", "-n", "10", "-p", "7", missing}, "false positive rate is 7"},
		{[]string{"-n", "10", name}, "are for --create"},
		{[]string{dir}, "is a directory"},
		{[]string{"--create", "-n", "1", dir}, "is a directory"},
		{[]string{os.DevNull}, "is not a regular file"},
		{[]string{file(t, "text\n")}, "is not a filter file"},
		{[]string{file(t, "")}, "corrupt filter"},
		{[]string{bad}, "are damaged"},
		{[]string{short}, "6000 bytes"},
		{[]string{name, name}, "is the filter and an input too"},
	} {
		code, out, err := command("a\n", append([]string{"add"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, out, err, c.err)
		}
	}
	if left := contents(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if code, out, _ := command("", "verify", name); code != 0 {
		t.Errorf("the file is not whole any more: %s", out)
	}
}

// Two processes add overlapping lines to one file: none is lost, and none is new
// for both.
func TestTwoProcessesAddAtOnce(t *testing.T) {
	needSharing(t)
	linebloom := program(t)
	const n = 60_000
	line := func(i int) string { return fmt.Sprintf("line %d\n", i) }
	var first, second strings.Builder
	for i := range n {
		if i < n*2/3 {
			first.WriteString(line(i))
		}
		if i >= n/3 {
			second.WriteString(line(i))
		}
	}
	name := filepath.Join(t.TempDir(), "f.lbf")
	var adds []*exec.Cmd
	for _, text := range []string{first.String(), second.String()} {
		cmd := exec.Command(linebloom, "add", "--create", "-n", fmt.Sprint(n), "-p", "1e-7", name)
		cmd.Stdin = strings.NewReader(text)
		cmd.Stderr = new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		adds = append(adds, cmd)
	}
	fresh := 0
	for _, cmd := range adds {
		err := cmd.Wait()
		text := cmd.Stderr.(*bytes.Buffer).String()
		var new, old int
		if _, e := fmt.Sscanf(strings.ReplaceAll(strings.TrimPrefix(text, name), ",", ""), ": %d new %d", &new, &old); e != nil || err != nil {
			t.Fatalf("%v, %v, %q", err, e, text)
		}
		if new+old != n*2/3 {
			t.Errorf("%d new and %d repeated lines, want %d together", new, old, n*2/3)
		}
		fresh += new
	}
	f := opened(t, name)
	if h := f.Header(); h.Count != uint64(fresh) || h.CountState != blocked.Exact || h.Capacity != n {
		t.Errorf("%+v, want a count of %d", h, fresh)
	}
	if fresh > n || fresh < n-3 { // that many are taken for others with a probability below 1e-9
		t.Errorf("%d lines were new for one of them, want %d", fresh, n)
	}
	code, out, _ := command(first.String()+second.String(), "check", "-c", name)
	if code != 0 || out != fmt.Sprintln(n*4/3) {
		t.Errorf("exit %d, %s lines are there, want %d", code, out, n*4/3)
	}
}
