package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// corpus is the lines of the source files under a folder, with the truth about
// which of them are keys.
type corpus struct {
	files   int
	lines   [][]byte // all lines of all files
	kinds   []kind   // of each line
	members [][]byte // the distinct lines of every other file
	absent  int      // distinct lines that are not members
}

// kind says what a line of the corpus is.
type kind uint8

const (
	member       kind = iota
	absentFirst       // not a member, seen here for the first time
	absentRepeat      // not a member, seen before
)

// sourceDir returns the folder to read: the one named, or Go's own sources.
func sourceDir(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for its GOROOT: %w; name a folder of Go files instead", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}

func readCorpus(std streams, dir string) (*corpus, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".go") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}

	c := &corpus{files: len(paths)}
	kinds := map[string]kind{}
	bar := newProgress(std, "reading source files", int64(len(paths)))
	defer bar.finish()
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			c.lines = append(c.lines, line)
			if _, known := kinds[string(line)]; !known && i%2 == 0 {
				kinds[string(line)] = member
				c.members = append(c.members, line)
			}
		}
		bar.add(1)
	}
	if len(c.members) == 0 {
		return nil, errors.New(dir + ": no Go source files with lines in them; name another folder")
	}
	for _, line := range c.lines {
		k, known := kinds[string(line)]
		if !known {
			k = absentFirst
			kinds[string(line)] = absentRepeat
			c.absent++
		}
		c.kinds = append(c.kinds, k)
	}
	return c, nil
}
