package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// A spool is lines in a temporary file, in their order, each behind a mark.
type spool struct {
	dir  string
	file *os.File
	out  output
}

// The marks.
const (
	markedNew  = '+'
	markedSeen = '='
)

func newSpool(end byte) (*spool, error) {
	dir, err := os.MkdirTemp("", "linebloom-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("temporary files: %w", err)
	}
	s := &spool{dir: dir}
	if s.file, err = os.Create(filepath.Join(dir, "lines")); err != nil {
		s.remove()
		return nil, fmt.Errorf("temporary files: %w", err)
	}
	s.out = output{w: s.file, what: "temporary files (TMPDIR names the folder for them)", end: end}
	return s, nil
}

func (s *spool) remove() {
	if s.file != nil {
		s.file.Close()
	}
	os.RemoveAll(s.dir)
}

func (s *spool) add(line []byte, fresh bool) {
	mark := byte(markedSeen)
	if fresh {
		mark = markedNew
	}
	s.out.add(line, mark)
}

// markNew marks the line at an offset in the file.
func (s *spool) markNew(at uint64) error {
	_, err := s.file.WriteAt([]byte{markedNew}, int64(at))
	return err
}

// each calls f with all lines, behind their marks, and the offset of the first of
// the batch.
func (s *spool) each(ctx context.Context, format *lineFormat, f func(b *hashedBatch, at uint64) error) error {
	spooled := *format
	spooled.plain, spooled.marked = true, true
	at := uint64(0)
	var failed error
	err := spooled.hashEach(ctx, streams{}, []string{s.file.Name()}, func(err error) { failed = err },
		func(b *hashedBatch) error {
			if err := f(b, at); err != nil {
				return err
			}
			for i := range b.lines {
				at += uint64(len(b.line(i)))
			}
			return nil
		})
	if err == nil {
		err = failed
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}
