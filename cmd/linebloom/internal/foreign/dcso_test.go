package foreign

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Where DCSO's command is, its answers are compared with those of fresh files of
// its own. LINEBLOOM_DCSO names it; without it the files in testdata must do.
func TestAnswersAreThoseOfDCSO(t *testing.T) {
	command := os.Getenv("LINEBLOOM_DCSO")
	if command == "" {
		return
	}
	name := filepath.Join(t.TempDir(), "f.bloom")
	run := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command(command, args...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	var keys, others strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "key %d\n", i)
		fmt.Fprintf(&others, "other %x %s\n", i*i, strings.Repeat("x", i%90))
	}
	for _, flags := range [][]string{nil, {"--gzip"}} {
		run("", append(flags, "create", "-p", "0.1", "-n", "20000", name)...)
		run(keys.String(), append(flags, "insert", name)...)
		f, err := Open(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		asked := keys.String() + others.String()
		var ours strings.Builder
		for line := range strings.Lines(asked) {
			if f.Has(bytes.TrimSuffix([]byte(line), []byte("\n"))) {
				ours.WriteString(line)
			}
		}
		if theirs := run(asked, append(flags, "check", name)...); theirs != ours.String() {
			t.Errorf("%v: %d lines of theirs, %d of ours", flags, strings.Count(theirs, "\n"), strings.Count(ours.String(), "\n"))
		}
	}
}
