//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// SyncFolder makes the name of a file durable.
func SyncFolder(path string) error {
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
