package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/asm"
)

func TestDemoOnTheSourceOfThisModule(t *testing.T) {
	code, out, err := command("", "demo", "../..", "-p", "0.1")
	if code != 0 || err != "" {
		t.Fatalf("exit %d, %q", code, err)
	}
	for _, want := range []string{"false negatives   0\n", "k = 3", "kernel            " + asm.Chosen(), "predicted", "measured", "million keys/s"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in the output:\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if len(line) > 81 {
			t.Errorf("a line is wider than 80 columns: %s", line)
		}
	}
}

func TestDemoTellsTheTruth(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":     "one\ntwo\ntwo\n",  // added
		"b.go":     "two\nthree\nfour", // not added
		"c.txt":    "not Go\n",
		"sub/d.go": "five\none\n", // added
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := readCorpus(streams{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.files != 3 || len(c.lines) != 8 || len(c.members) != 3 || c.absent != 2 {
		t.Errorf("%d files, %d lines, %d members, %d absent; want 3, 8, 3, 2", c.files, len(c.lines), len(c.members), c.absent)
	}
	want := []kind{member, member, member, member, absentFirst, absentFirst, member, member}
	for i, k := range c.kinds {
		if k != want[i] {
			t.Errorf("line %q is of kind %d, want %d", c.lines[i], k, want[i])
		}
	}
}

// The verdict: a missing key, or too many hits, fail the demo.
func TestDemoFailsWhenTheFilterIsWrong(t *testing.T) {
	ok := result{target: 0.01, absent: 10_000, falsePositives: 100}
	if v := ok.verdict(); v != "" {
		t.Errorf("a good result is refused: %s", v)
	}
	for _, bad := range []result{
		{target: 0.01, absent: 10_000, falsePositives: 100, falseNegatives: 1},
		{target: 0.01, absent: 10_000, falsePositives: 150},
		{target: 0.01, absent: 10_000, falsePositives: 100, wrongBatches: 1},
	} {
		if bad.verdict() == "" {
			t.Errorf("%+v passes", bad)
		}
	}
}

func TestDemoBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{"demo", filepath.Join(t.TempDir(), "missing")}, "no such file"},
		{[]string{"demo", t.TempDir()}, "no Go source files"},
		{[]string{"demo", "-p", "1"}, "false positive rate is 1"},
		{[]string{"demo", "-p", "x"}, "invalid argument"},
		{[]string{"demo", "a", "b"}, "accepts at most 1 arg"},
		{[]string{"nosuch"}, "unknown command"},
	} {
		code, out, err := command("", c.args...)
		if code != 2 || out != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, out %q, err %q, want %q", c.args, code, out, err, c.err)
		}
	}
}

func TestVersion(t *testing.T) {
	code, out, err := command("", "version")
	if code != 0 || err != "" || !strings.Contains(out, "chosen     "+asm.Chosen()+"\n") || !strings.Contains(out, "go         go1.") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}
