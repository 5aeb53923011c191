package atomicfile

import (
	"fmt"
	"io"
	"os"
)

// Read lets dst read all of the file at path.
func Read(path string, dst io.ReaderFrom) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("linebloom: %w", err)
	}
	defer file.Close()
	if _, err := dst.ReadFrom(file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
