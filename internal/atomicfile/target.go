package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks is how many symbolic links are followed, as many as Linux does.
const maxLinks = 40

// Target follows symbolic links to the file that path names, and returns what is
// there: nil if there is none.
func Target(path string) (string, fs.FileInfo, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil, nil
		case err != nil:
			return path, nil, err
		case info.Mode()&fs.ModeSymlink == 0:
			return path, info, nil
		}
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil, err
		}
		if !filepath.IsAbs(link) {
			// Not cleaned: only the system knows what .. is behind a link.
			dir, _ := filepath.Split(path)
			link = dir + link
		}
		path = link
	}
	return path, nil, fmt.Errorf("%s: more than %d symbolic links", path, maxLinks)
}
