package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A small run leaves all files and prints lines that fit.
func TestSmallRun(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := run([]string{"-quick", "-sizes", "16KiB", "-rounds", "1", "-out", dir}, &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	for _, e := range experiments {
		if _, err := os.Stat(filepath.Join(dir, e.name+".json")); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"lookups.svg", "rates.svg", "builds.svg", "growth.svg", "growth-builds.svg"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(data), ">linebloom") {
			t.Errorf("%s does not name linebloom", name)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); err == nil; {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyChoosesExperiments(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := run([]string{"-sizes", "16KiB", "-rounds", "1", "-only", "^a$", "-out", dir}, &out); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "a.json" {
		t.Errorf("files %v, error %v", files, err)
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-sizes", "huge"}, {"-only", "("}, {"more"}, {"-unknown"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
