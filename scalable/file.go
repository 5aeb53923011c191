package scalable

import (
	"fmt"
	"io"
	"os"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/linebloom/linebloom/internal/format"
)

// Save writes the filter to a file, or replaces the file that is there. At every
// instant, and after any crash, the path names the old file or the new one, whole,
// as with filterfile.Save. metadata is stored beside the filter, at most 64 KiB, or
// nil; blocked.Peek reads it. Of the keys that are added meanwhile some may be in
// the file.
func (f *Filter) Save(path string, metadata []byte) error {
	if len(metadata) > format.MaxMetadata {
		return fmt.Errorf("linebloom: %w: %d bytes of metadata, want at most %d",
			blocked.ErrTooLarge, len(metadata), format.MaxMetadata)
	}
	s := f.stored(metadata, format.FileAlign)
	return atomicfile.Replace(path, func(w io.Writer) error {
		_, err := s.writeTo(w)
		return err
	})
}

// Open reads a filter from a file into memory, and checks all of it. The filter can
// grow further; to write it again is up to Save. SetMaxBytes bounds it, which the
// file does not. The errors wrap blocked.ErrCorrupt, blocked.ErrUnsupported or
// blocked.ErrUnclean, or are those of the system.
func Open(path string) (*Filter, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	defer file.Close()
	f := new(Filter)
	if _, err := f.ReadFrom(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
