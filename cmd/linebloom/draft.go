package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/internal/atomicfile"
)

// A draft is a filter file in the making. It lies in a hidden folder of its own
// beside the place where it shall be, so that it can be dropped at any time: when
// the folder is gone, nothing can appear in it.
type draft struct {
	path  string // where it shall be
	force bool   // also if something is there
	dir   string
}

// newDraft refuses a place where nothing may or can be written, so that this is
// known before hours of input are read. discard must be called.
func newDraft(path string, force bool) (*draft, error) {
	switch path {
	case "":
		return nil, errors.New("name the filter file to make, with -o FILE")
	case "-":
		return nil, errors.New("a filter cannot go to standard output; name a file with -o FILE")
	}
	d := &draft{path: path, force: force}
	if err := d.mayReplace(); err != nil {
		return nil, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil && force {
		d.path = target
	}
	var err error
	if d.dir, err = os.MkdirTemp(folderOf(d.path), ".linebloom-*.tmp"); err != nil {
		return nil, d.failed(err)
	}
	return d, nil
}

// errInTheWay reports something that is not replaced.
var errInTheWay = errors.New("exists")

// mayReplace refuses what is at the place already.
func (d *draft) mayReplace() error {
	old, err := os.Lstat(d.path)
	if err == nil && d.force && old.Mode()&fs.ModeSymlink != 0 {
		if old, err = os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s %w as a link to nothing; remove it first", d.path, errInTheWay)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case old.IsDir():
		return fmt.Errorf("%s %w and is a directory; name a file in it", d.path, errInTheWay)
	case !d.force:
		return fmt.Errorf("%s %w; choose another name, or replace it with --force", d.path, errInTheWay)
	case !old.Mode().IsRegular():
		return fmt.Errorf("%s %w and is not a regular file, so it is not replaced", d.path, errInTheWay)
	}
	return nil
}

// save writes the filter and puts it in its place.
func (d *draft) save(ctx context.Context, f blocked.Viewer) error {
	return d.write(ctx, func(name string) error { return filterfile.Save(name, f, nil) })
}

// write calls f, which writes a file, and puts the file in its place.
func (d *draft) write(ctx context.Context, f func(name string) error) error {
	name := d.dir + string(filepath.Separator) + "filter"
	_, err := wait(ctx, func() (struct{}, error) { return struct{}{}, f(name) })
	if err == nil {
		err = d.place(name)
	}
	if err == nil {
		err = atomicfile.SyncFolder(d.path)
	}
	return d.failed(err)
}

// failed says of which file an error is, without the names in the hidden folder,
// which say nothing to the user.
func (d *draft) failed(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil, errors.As(err, new(interruption)), errors.Is(err, errInTheWay):
		return err
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%s cannot be written: %w", d.path, err)
}

func (d *draft) place(name string) error {
	if d.force {
		if old, err := os.Stat(d.path); err == nil {
			if err := os.Chmod(name, old.Mode().Perm()); err != nil {
				return err
			}
		}
		return os.Rename(name, d.path)
	}
	// Link, unlike rename, fails if something is there by now.
	err := os.Link(name, d.path)
	if err == nil {
		return nil
	}
	if err := d.mayReplace(); err != nil {
		return err
	}
	return os.Rename(name, d.path) // on a file system without links
}

// discard removes the hidden folder, with whatever is in it.
func (d *draft) discard() {
	// A save that was not waited for may create one more file meanwhile, or, on
	// Windows, keep one open.
	for range 50 {
		if os.RemoveAll(d.dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// folderOf returns the folder of a file, not cleaned: only the system knows what
// .. is behind a link.
func folderOf(path string) string {
	if dir, _ := filepath.Split(path); dir != "" {
		return dir
	}
	return "."
}
