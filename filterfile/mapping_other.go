//go:build !(linux || darwin)

package filterfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/linebloom/linebloom/internal/mem"
)

// errNotHere reports what only Linux and macOS can do.
var errNotHere = fmt.Errorf("linebloom: shared filter files on %s: %w", runtime.GOOS, errors.ErrUnsupported)

// mapFile reads the file into memory: this system has no mapping that this
// package uses.
func mapFile(f *os.File, size int, use use) ([]byte, error) {
	if use == shared {
		return nil, errNotHere
	}
	p := mem.Bytes(mem.Words((size + 7) / 8))[:size]
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), p); err != nil {
		return nil, fmt.Errorf("linebloom: reading %s: %w", f.Name(), err)
	}
	return p, nil
}

func unmapFile([]byte) (release func(), err error) { return func() {}, nil }

func adviseRandom([]byte) {}

func syncMapping([]byte) error { return errNotHere }
