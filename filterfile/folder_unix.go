//go:build unix

package filterfile

import (
	"errors"
	"os"
	"path/filepath"
)

// syncFolder makes the name of a file durable.
func syncFolder(path string) error {
	name, _ := filepath.Split(path)
	if name == "" {
		name = "."
	}
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
