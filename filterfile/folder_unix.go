//go:build unix

package filterfile

import (
	"errors"
	"os"
	"path/filepath"
)

// syncFolder makes the name of a file durable.
func syncFolder(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
