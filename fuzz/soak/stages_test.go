package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// No fuzz target of the repository is forgotten, and none is named that is not there.
func TestAllFuzzTargetsAreStages(t *testing.T) {
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel("../..", filepath.Dir(path))
		for _, m := range target.FindAllSubmatch(text, -1) {
			there["./"+filepath.ToSlash(pkg)+" "+string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		name := target.pkg + " " + target.name
		if !there[name] {
			t.Errorf("there is no %s", name)
		}
		delete(there, name)
	}
	for name := range there {
		t.Errorf("%s is not fuzzed", name)
	}
}

// A stage that fails is counted, and what it printed is shown.
func TestRunCountsFailures(t *testing.T) {
	var out bytes.Buffer
	failed, err := run(t.Context(), []string{"-minutes", "0", "-only", "random operations"}, &out)
	// There is no ./fuzz/soak below this folder.
	if err != nil || !failed || !strings.Contains(out.String(), "FAILED") {
		t.Errorf("failed %v, %v\n%s", failed, err, &out)
	}
	for _, args := range [][]string{{"-only", "nothing at all"}, {"-only", "("}, {"x"}} {
		if _, err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestOnlyTheDeadlineIsNoFailure(t *testing.T) {
	const deadline = "--- FAIL: FuzzX (30.0s)\n    context deadline exceeded\nFAIL\n"
	if !onlyDeadline(deadline) || onlyDeadline(deadline+"Failing input written to") || onlyDeadline("--- FAIL: FuzzX\n") {
		t.Error("a failure and the end of the time are not told apart")
	}
}
