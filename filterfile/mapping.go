package filterfile

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ErrClosed is what the methods of a closed file return, or panic with if they
// return no error.
var ErrClosed = errors.New("use of a closed filter file")

// A mapping is a mapped file.
type mapping struct {
	file    *os.File
	bytes   []byte
	closed  atomic.Bool
	running running
	mu      sync.Mutex // of close
}

// use says what a file is mapped for.
type use int

const (
	readOnly use = iota
	private      // it can be written to, and the file does not change
	shared       // what is written changes the file
)

func newMapping(f *os.File, size int, use use) (*mapping, error) {
	p, err := mapFile(f, size, use)
	if err != nil {
		return nil, err
	}
	return &mapping{file: f, bytes: p}, nil
}

// enter begins an operation on the mapped bytes, and leave ends it:
//
//	defer m.leave(m.enter())
//
// Between them a fault, which would end the program otherwise, is a panic with
// an error that names the file.
func (m *mapping) enter() (before bool) {
	m.running.begin()
	if m.closed.Load() {
		m.running.end()
		panic(m.errClosed())
	}
	return debug.SetPanicOnFault(true)
}

func (m *mapping) leave(before bool) {
	debug.SetPanicOnFault(before)
	m.running.end()
	r := recover()
	if r == nil {
		return
	}
	fault, ok := r.(interface {
		runtime.Error
		Addr() uintptr // of a fault
	})
	switch {
	case !ok:
		panic(r)
	case m.closed.Load():
		panic(m.errClosed())
	}
	panic(&FaultError{Path: m.file.Name(), Fault: fault})
}

// try does what returns an error, and returns that of a fault, and of a closed
// file, too.
func (m *mapping) try(do func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *FaultError:
			err = r
		case error:
			if !errors.Is(r, ErrClosed) {
				panic(r)
			}
			err = r
		default:
			panic(r)
		}
	}()
	defer m.leave(m.enter())
	return do()
}

// A FaultError is what methods panic with that return no error, when the memory
// of a mapped file cannot be read or written. Methods that do, return it.
type FaultError struct {
	Path  string
	Fault error // of the runtime
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("linebloom: %s: the mapped file cannot be reached: it was truncated, or its disk fails", e.Path)
}

// Unwrap returns the runtime's error.
func (e *FaultError) Unwrap() error { return e.Fault }

func (m *mapping) errClosed() error {
	return fmt.Errorf("linebloom: %s: %w", m.file.Name(), ErrClosed)
}

// close unmaps and closes the file. Its addresses stay reserved until m is
// garbage.
func (m *mapping) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed.Swap(true) {
		return m.errClosed()
	}
	m.running.await()
	var err error
	if m.bytes != nil { // a damaged file is in memory
		var release func()
		release, err = unmapFile(m.bytes)
		m.release(release)
	}
	return errors.Join(err, m.file.Close())
}

// discard unmaps what nobody else has seen, and leaves the file open.
func (m *mapping) discard() {
	if release, err := unmapFile(m.bytes); err == nil {
		release()
	}
}

// release frees the addresses when nothing points to m any more.
func (m *mapping) release(free func()) {
	runtime.AddCleanup(m, func(free func()) { free() }, free)
}
