package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/cmd/linebloom/internal/foreign"
	"github.com/linebloom/linebloom/filterfile"
)

// errNotFilter reports a regular file that is no filter, as opposed to a damaged
// one.
var errNotFilter = errors.New("not a filter file")

// openFilter opens a filter file for look-ups.
func openFilter(path string, opts filterfile.Options) (*filterfile.File, error) {
	if err := checkFilterPath(path); err != nil {
		return nil, err
	}
	f, err := filterfile.Open(path, opts)
	if err != nil {
		return nil, explain(path, err)
	}
	return f, nil
}

// explain turns an error of opening a filter file into one that helps.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, blocked.ErrCorrupt) && foreign.Known(path):
		return fmt.Errorf("%s is %w of this library, but of another program; check, audit and info take it", path, errNotFilter)
	case errors.Is(err, blocked.ErrCorrupt) && !looksLikeFilter(path):
		return fmt.Errorf("%s is %w; linebloom build makes one of lines", path, errNotFilter)
	case errors.Is(err, blocked.ErrUnclean):
		return fmt.Errorf("%s: %w by those who added to it; wait, or close it with: linebloom add %s </dev/null",
			path, blocked.ErrUnclean, path)
	}
	return err
}

// What filters begin and end with, see docs/FORMAT.md.
const (
	magic   = "\x89LBF\r\n\x1a\n"
	trailer = "LBF-END\n"
)

// looksLikeFilter reports whether a file has the beginning or the end of a
// filter, or is so short that it may be cut off before.
func looksLikeFilter(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, len(magic))
	n, _ := io.ReadFull(f, head)
	tail := make([]byte, len(trailer))
	f.Seek(-int64(len(trailer)), io.SeekEnd)
	io.ReadFull(f, tail)
	return strings.HasPrefix(magic, string(head[:n])) || string(tail) == trailer
}

// sized is a filter that was made from Params, and knows for how many keys.
type sized struct {
	*blocked.Filter
	capacity uint64
	rate     float64 // that was asked for; 0: none was
}

func (s sized) Capacity() uint64 { return s.capacity }

func (s sized) TargetFPRate() float64 { return s.rate }
