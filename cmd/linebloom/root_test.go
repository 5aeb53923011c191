package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// fits complains about lines that are wider than 80 columns.
func fits(t *testing.T, what any, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if len(line) > 81 {
			t.Errorf("%v: a line is wider than 80 columns: %s", what, line)
		}
	}
}

// allCommands returns the commands below one, and those below them.
func allCommands(root *cobra.Command) (all []*cobra.Command) {
	for _, cmd := range root.Commands() {
		all = append(append(all, cmd), allCommands(cmd)...)
	}
	return all
}

func TestHelpFitsATerminal(t *testing.T) {
	all := [][]string{{}, {"--help"}}
	for _, cmd := range allCommands(newRoot(streams{})) {
		all = append(all, append(strings.Fields(cmd.CommandPath())[1:], "--help"))
		if !strings.Contains(cmd.Example, cmd.CommandPath()) && cmd.Name() != "version" && cmd.Runnable() {
			t.Errorf("the help of %s has no example", cmd.Name())
		}
	}
	for _, args := range all {
		code, out, _ := command("", args...)
		if code != 0 || out == "" {
			t.Errorf("%v: exit %d, %q", args, code, out)
		}
		fits(t, args, out)
	}
}

func TestErrorsHaveOneLineAndOnePrefix(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                "plain",
		"linebloom: saving":                    "saving",
		"f.lbf: linebloom: corrupt":            "f.lbf: corrupt",
		"one\ntwo\n":                           "one; two",
		"linebloom: a: linebloom: b\nthe rest": "a: b; the rest",
	} {
		if got := plain(errors.New(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A view of a mapped file faults, and does not say of which file.
func TestAFaultInAViewIsAnError(t *testing.T) {
	needSharing(t) // elsewhere files are not mapped
	name := built(t, count(10_000))
	f := opened(t, name)
	if err := os.Truncate(name, 0); err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if err := faultOf(recover()); !strings.Contains(err.Error(), "was truncated") {
			t.Error(err)
		}
	}()
	f.View().FillRatio()
	t.Error("no fault")
}

func TestOnlyFaultsOfFilesAreRecovered(t *testing.T) {
	defer func() {
		if r := recover(); fmt.Sprint(r) != "a bug" {
			t.Errorf("recovered %v", r)
		}
	}()
	faultOf("a bug")
}
