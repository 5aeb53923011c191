// Package atomicfile replaces a file in one step: at every instant, and after any
// crash, its path names the old file or the new one, whole.
package atomicfile

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Replace makes what write writes the content of the file at path, in one step. A
// file that is replaced keeps its permissions; a new one has 0666 less the umask.
// Of a symbolic link the file that it names is replaced.
func Replace(path string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("linebloom: saving %s: %w", path, err)
		}
	}()
	path, old, err := Target(path)
	if err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
		if !old.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", path)
		}
	}
	tmp, err := CreateTemp(path, mode)
	if err != nil {
		return err
	}
	renamed := false
	defer func() {
		if !renamed { // also if write panics
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if old != nil {
		if err := tmp.Chmod(mode); err != nil { // whatever the umask says
			return err
		}
	}
	w := bufio.NewWriterSize(tmp, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	renamed = true
	return SyncFolder(path)
}

// CreateTemp creates a file beside path, which only this call knows.
func CreateTemp(path string, mode os.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := dir + fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), try)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if os.IsExist(err) && try < 10000 {
			continue
		}
		return f, err
	}
}
