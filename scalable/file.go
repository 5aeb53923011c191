package scalable

import (
	"io"

	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/linebloom/linebloom/internal/format"
)

// Save writes the filter to a file, or replaces the file that is there. At every
// instant, and after any crash, the path names the old file or the new one, whole,
// as with filterfile.Save. metadata is stored beside the filter, at most 64 KiB, or
// nil; blocked.Peek reads it. Of the keys that are added meanwhile some may be in
// the file.
func (f *Filter) Save(path string, metadata []byte) error {
	if err := format.CheckMetadata(metadata); err != nil {
		return err
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
	f := new(Filter)
	if err := atomicfile.Read(path, f); err != nil {
		return nil, err
	}
	return f, nil
}
