package window

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// A File is the filter in the file that a path names, whichever that is at the moment:
// when somebody has put a new one in its place, with filterfile.Save for example, the
// File opens that and answers from it. Any number of goroutines use it at the same
// time, without locks. A file is closed when the last call that reads it has ended.
//
// Files must be replaced by renaming, and never be written to. One that cannot be
// opened, or is damaged, is not used: the File goes on with the one that it has, and
// Err tells.
type File struct {
	path    string
	opts    FileOptions
	current atomic.Pointer[opened] // nil: closed
	err     atomic.Pointer[error]

	mu    sync.Mutex // of changing current, and of what follows
	bad   os.FileInfo
	timer *time.Timer
}

// FileOptions change how OpenFile opens a file, and those that come after it. The zero
// FileOptions are the usual ones.
type FileOptions struct {
	filterfile.Options

	// Every is the time after which the path is looked at again, which takes a
	// system call; 0 means only when Refresh is called.
	Every time.Duration

	// OnChange is called after a new file has been opened, with nil, and with the
	// error after one could not be. It must not call Refresh or Close.
	OnChange func(error)
}

// An opened is a file that is open.
type opened struct {
	*filterfile.File
	*pins
	info os.FileInfo
}

// OpenFile opens the filter in the file that path names, and goes on as its
// comment says, until Close. The errors are those of filterfile.Open; a negative
// Every gives blocked.ErrInvalid.
func OpenFile(path string, opts FileOptions) (*File, error) {
	if opts.Every < 0 {
		return nil, fmt.Errorf("linebloom: %w: %v between looks at a file, want 0 or more", blocked.ErrInvalid, opts.Every)
	}
	first, err := open(path, opts)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, opts: opts}
	f.current.Store(first)
	if opts.Every > 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.timer = time.AfterFunc(opts.Every, f.look)
	}
	return f, nil
}

func open(path string, opts FileOptions) (*opened, error) {
	file, err := filterfile.Open(path, opts.Options)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat() // of this file, whatever path names by now
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	return &opened{file, newPins(), info}, nil
}

// Refresh looks at the path now, and opens the file that it names if that is another
// one. It returns the error of doing so, after which Err returns the same; the file
// that was open before is used further then.
func (f *File) Refresh() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refresh(false)
}

// look is Refresh by the timer. A damaged file is not read again and again.
func (f *File) look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current.Load() != nil {
		f.refresh(true)
		f.timer.Reset(f.opts.Every)
	}
}

func (f *File) refresh(skipBad bool) error {
	old := f.current.Load()
	if old == nil {
		return f.errClosed()
	}
	info, err := os.Stat(f.path)
	if err != nil {
		return f.failed(fmt.Errorf("linebloom: %w", err))
	}
	if same(info, old.info) {
		f.bad = nil
		f.err.Store(nil)
		return nil
	}
	if skipBad && f.bad != nil && same(info, f.bad) {
		return f.Err()
	}
	next, err := open(f.path, f.opts)
	if err != nil {
		if f.bad = nil; errors.Is(err, blocked.ErrCorrupt) || errors.Is(err, blocked.ErrUnsupported) {
			f.bad = info
		}
		return f.failed(err)
	}
	f.bad = nil
	f.err.Store(nil)
	f.current.Store(next)
	old.retireAndClose()
	f.tell(nil)
	return nil
}

// same reports whether both are of one file that has not been written to.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (f *File) failed(err error) error {
	f.err.Store(&err)
	f.tell(err)
	return err
}

func (f *File) tell(err error) {
	if f.opts.OnChange != nil {
		f.opts.OnChange(err)
	}
}

// Err returns the error of the last look at the path: why the file that it names is
// not in use. It is nil when that file is in use and nothing is known to be damaged
// in it.
func (f *File) Err() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	o, at := f.use()
	defer o.done(at)
	return o.Err()
}

// Close ends the looks at the path. The file is closed when the calls that read it
// have ended. Whatever is called after it panics with an error that wraps
// filterfile.ErrClosed, or returns it.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.current.Swap(nil)
	if old == nil {
		return f.errClosed()
	}
	if f.timer != nil {
		f.timer.Stop()
	}
	return old.retireAndClose()
}

func (f *File) errClosed() error {
	return fmt.Errorf("linebloom: %s: %w", f.path, filterfile.ErrClosed)
}

// use returns the file to read, and done ends its use:
//
//	o, at := f.use()
//	defer o.done(at)
func (f *File) use() (*opened, *place) {
	for {
		o := f.current.Load()
		if o == nil {
			panic(f.errClosed())
		}
		at := o.pin()
		if f.current.Load() == o {
			return o, at
		}
		o.done(at)
	}
}

// done ends a use. Errors of closing a file that was only read mean nothing.
func (o *opened) done(at *place) {
	if o.unpin(at) {
		o.File.Close()
	}
}

func (o *opened) retireAndClose() error {
	if o.retire() {
		return o.File.Close()
	}
	return nil
}
