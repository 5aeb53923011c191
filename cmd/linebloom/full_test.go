package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The kernel's own full disk.
func TestAFullDeviceIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return // there is none but on Linux
	}
	defer full.Close()
	filter := built(t, "a\n")
	for _, args := range [][]string{
		{"check", filter}, {"check", "-c", filter}, {"check", "--label", "-F", filter}, {"audit", "--absent", "-", filter},
		{"info", filter}, {"info", "--json", filter}, {"verify", filter}, {"version"},
		{"calc", "-n", "1M", "-p", "0.01"}, {"calc", "--table"}, {"calc", "--json", "--table"},
		{"import", testdata(t, "tiny.bloom")},
	} {
		var errs bytes.Buffer
		code := run(args, streams{strings.NewReader("a\na\n"), full, &errs})
		if code != 2 || !strings.Contains(errs.String(), "writing the output: ") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
	}
}
