package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnInterruptedExactDedupLeavesNothing(t *testing.T) {
	program(t) // is built in TMPDIR too
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := start(t, "dedup", "--exact")
	io.WriteString(r.stdin, count(1000))
	eventually(t, "it keeps lines", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "*", "lines"))
		return len(files) == 1 && size(files[0]) > 0
	})
	r.cmd.Process.Signal(os.Interrupt)
	if code := r.wait(); code != 130 || r.err.String() != "linebloom: interrupted\n" {
		t.Errorf("exit %d, %q", code, r.err.String())
	}
	if left := contents(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestAnInterruptedDedupClosesItsState(t *testing.T) {
	needSharing(t)
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := startTo(t, out, "dedup", "--state", state)
	io.WriteString(r.stdin, "a\nb\nhalf a line")
	eventually(t, "it prints", func() bool { return size(out.Name()) == 4 })
	r.cmd.Process.Signal(os.Interrupt)
	if code := r.wait(); code != 130 || !strings.Contains(r.err.String(), "interrupted; "+state+" was closed") {
		t.Errorf("exit %d, %q", code, r.err.String())
	}
	if text, _ := os.ReadFile(out.Name()); string(text) != "a\nb\n" {
		t.Errorf("it printed %q", text)
	}
	if code, text, _ := command("a\nb\nc\n", "dedup", "--state", state); code != 0 || text != "c\n" {
		t.Errorf("the next run: exit %d, %q", code, text)
	}
	if left := contents(t, dir); len(left) != 2 {
		t.Errorf("files: %q, want the state and its lock", left)
	}
}

func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}
