//go:build linux || darwin

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// numbered returns lines with the numbers from to to.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// The state grows over several files, and the next run goes on where the last ended.
func TestDedupGoesOnWithItsState(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "seen [*].lbf")
	for _, c := range []struct{ from, to, fresh int }{{0, 400_000, 0}, {300_000, 500_000, 400_000}, {0, 500_000, 500_000}} {
		lines, want := numbered(c.from, c.to), numbered(c.fresh, c.to)
		code, out, err := command(lines, "dedup", "--state", state)
		if wantCode := map[bool]int{true: 0, false: 1}[want != ""]; code != wantCode || err != "" || out != want {
			t.Fatalf("%d to %d: exit %d, %q, %d bytes of output, want %d", c.from, c.to, code, err, len(out), len(want))
		}
	}
	left, _ := os.ReadDir(dir)
	var names []string
	for _, f := range left {
		names = append(names, strings.TrimPrefix(f.Name(), filepath.Base(state)))
	}
	if got := strings.Join(names, " "); got != " .1 .lock" {
		t.Errorf("files of the state: %q", got)
	}
	if code, _, err := command("a\n", "dedup", "--state", state, "-p", "1e-12"); code != 2 || !strings.Contains(err, "--rate 1e-09") {
		t.Errorf("with another rate: exit %d, %q", code, err)
	}
	if code, _, err := command("", "dedup", "--state", state, state); code != 2 || !strings.Contains(err, "an input too") {
		t.Errorf("with itself as input: exit %d, %q", code, err)
	}
	if code, _, err := command("a\n", "dedup", "--state", file(t, "no filter\n")); code != 2 || strings.Count(err, "\n") != 1 {
		t.Errorf("with a text file: exit %d, %q", code, err)
	}
}

// Of several processes with the same lines one prints each.
func TestDedupOfSeveralProcessesPrintsALineOnce(t *testing.T) {
	const processes, n = 4, 300_000
	state := filepath.Join(t.TempDir(), "state")
	lines := numbered(0, n)
	outs := make([]string, processes)
	var wg sync.WaitGroup
	for i := range outs {
		wg.Go(func() {
			cmd := exec.Command(program(t), "dedup", "--state", state)
			cmd.Stdin = strings.NewReader(lines)
			out, err := cmd.Output()
			if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) { // 1: others were faster
				t.Errorf("%v: %s", err, exit.Stderr)
			}
			outs[i] = string(out)
		})
	}
	program(t)
	wg.Wait()
	seen := map[string]bool{}
	for _, out := range outs {
		for line := range strings.Lines(out) {
			if seen[line] {
				t.Fatalf("%q is printed twice", line)
			}
			seen[line] = true
		}
	}
	if len(seen) != n {
		t.Errorf("%d lines are printed, want %d", len(seen), n)
	}
}

// Processes are killed at any moment. The runs together print every line, and hardly
// any twice.
func TestDedupLosesNoLineWhenItIsKilled(t *testing.T) {
	const n, rounds = 200_000, 30
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	lines := filepath.Join(dir, "lines")
	if err := os.WriteFile(lines, []byte(numbered(0, n)), 0o666); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	killed := 0
	for round := range rounds {
		cmd := exec.Command(program(t), "dedup", "--state", state, lines)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(out)
		printed := 0
		for {
			line, err := r.ReadString('\n')
			if line != "" && err == nil {
				seen[line]++
				printed++
			}
			if err != nil {
				break
			}
			if round < rounds-1 && printed == 1+round*97 {
				cmd.Process.Kill()
			}
		}
		if cmd.Wait() != nil && !cmd.ProcessState.Exited() {
			killed++
		}
	}
	twice := 0
	for _, times := range seen {
		if times > 1 {
			twice++
		}
	}
	t.Logf("%d processes were killed; %d of %d lines were printed twice", killed, twice, n)
	if killed < rounds/3 {
		t.Errorf("%d of %d processes were killed", killed, rounds)
	}
	if len(seen) != n {
		t.Errorf("%d lines were printed, want %d", len(seen), n)
	}
	left, _ := filepath.Glob(state + ".journal.*")
	if len(left) > 0 {
		t.Errorf("journals are left: %v", left)
	}
}
