package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestManWritesAPageForEachCommand(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dir := filepath.Join(t.TempDir(), "new", "man1")
	if code, out, err := command("", "man", dir); code != 0 || out != "" || err != "" {
		t.Fatalf("exit %d, %q, %q", code, out, err)
	}
	pages := map[string]bool{}
	for _, name := range contents(t, dir) {
		pages[name] = true
	}
	want := []string{"linebloom.1"}
	for _, cmd := range allCommands(newRoot(streams{})) {
		if cmd.Runnable() && cmd.Name() != "help" {
			want = append(want, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		}
	}
	for _, name := range want {
		page, _ := os.ReadFile(filepath.Join(dir, name))
		for _, part := range []string{`"Nov 2023"`, ".SH NAME", ".SH SYNOPSIS"} {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s lacks %s", name, part)
			}
		}
		if strings.Contains(string(page), "Auto generated") {
			t.Errorf("%s tells how it was made", name)
		}
	}
	if len(pages) != len(want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
	page, _ := os.ReadFile(filepath.Join(dir, "linebloom-info.1"))
	if !strings.Contains(string(page), "\n  predicted rate  of false positives once") {
		t.Errorf("an indented table is not kept as it is:\n%s", page)
	}
	// Again, over what is there; and where nothing can be.
	if code, _, err := command("", "man", dir); code != 0 {
		t.Errorf("exit %d, %q", code, err)
	}
	for _, args := range [][]string{nil, {"a", "b"}, {file(t, "")}, {filepath.Join(file(t, ""), "x")}} {
		if code, _, err := command("", append([]string{"man"}, args...)...); code != 2 || strings.Count(err, "\n") != 1 {
			t.Errorf("%q: exit %d, %q", args, code, err)
		}
	}
}

func TestMarkdownKeepsText(t *testing.T) {
	for text, want := range map[string]string{
		"Plain text.\nOf two lines.":        "Plain text.\nOf two lines.",
		"A *.gz and a_b_c\\d <x> [y]":       `A \*.gz and a\_b\_c\\d \<x> \[y]`,
		"Before\n\n  a  b\n  c  d\n\nAfter": "Before\n\n\n      a  b\n      c  d\n\n\nAfter",
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestCompletionsOfFourShells(t *testing.T) {
	for shell, part := range map[string]string{
		"bash": "complete -o default -F __start_linebloom linebloom", "zsh": "#compdef linebloom",
		"fish": "complete -c linebloom", "powershell": "Register-ArgumentCompleter -CommandName 'linebloom'",
	} {
		code, out, err := command("", "completion", shell)
		if code != 0 || err != "" || !strings.Contains(out, part) || !strings.Contains(out, "__complete") {
			t.Errorf("%s: exit %d, %q, %d bytes", shell, code, err, len(out))
		}
		// The shells that are here can read them.
		if path, e := exec.LookPath(shell); e == nil && shell != "powershell" {
			cmd := exec.Command(path, "-n")
			cmd.Stdin = strings.NewReader(out)
			if says, e := cmd.CombinedOutput(); e != nil {
				t.Errorf("%s does not read it: %v, %s", shell, e, says)
			}
		}
	}
	for _, args := range [][]string{{}, {"tcsh"}, {"bash", "zsh"}} {
		if code, out, err := command("", append([]string{"completion"}, args...)...); code != 2 || out != "" || err != "linebloom: name one shell: bash, zsh, fish, powershell\n" {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"completion", ""}, "bash\nzsh\nfish\npowershell\n"},
		{[]string{"import", "--hash", ""}, "auto\ndjb\nmd5\nsuperfast\nsha512\nmurmur32\nmurmur64\nxxh64\n"},
		{[]string{"check", "--hash", ""}, "djb\nmd5\n"},
		{[]string{"import", "--format", ""}, "auto\ndcso\npybloom\n"},
		{[]string{"calc", "--plot", ""}, "svg\n"},
		{[]string{"aud"}, "audit\t"},
	} {
		if _, out, _ := command("", append([]string{"__complete"}, c.args...)...); !strings.HasPrefix(out, c.want) {
			t.Errorf("%v: %q, want %q", c.args, out, c.want)
		}
	}
}
