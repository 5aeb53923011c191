package counting

import (
	"io"

	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/linebloom/linebloom/internal/format"
)

// Save writes the filter with its counters to a file, or replaces the file that is
// there, in one step and with the permissions of the old one, as filterfile.Save
// does. metadata is stored beside it, at most 64 KiB, or nil; blocked.Peek reads it.
// Adds and removes wait until it is written.
func (f *Filter) Save(path string, metadata []byte) error {
	if err := format.CheckMetadata(metadata); err != nil {
		return err
	}
	return atomicfile.Replace(path, func(w io.Writer) error {
		_, err := f.encode(w, f.header(metadata, format.FileAlign))
		return err
	})
}

// Open reads a file that Save wrote into memory, and checks all of it. The file is
// closed again; to keep what is changed, Save the filter. The errors are those of
// UnmarshalBinary and of the system. Files of plain filters give
// blocked.ErrUnsupported: package filterfile opens them.
func Open(path string) (*Filter, error) {
	f := new(Filter)
	if err := atomicfile.Read(path, f); err != nil {
		return nil, err
	}
	return f, nil
}
