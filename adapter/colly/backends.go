package colly

import (
	"errors"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/scalable"
)

// NewMemory returns a storage over a filter in memory, with cookies in memory. It
// ends with the process, unless its owner saves the filter.
func NewMemory(f *blocked.AtomicFilter, o Options) *Storage { return NewStorage(memory{f}, o) }

type memory struct{ f *blocked.AtomicFilter }

func (m memory) Seed() uint64                          { return m.f.Params().Seed }
func (m memory) HasHash(h uint64) (bool, error)        { return m.f.HasHash(h), nil }
func (m memory) TestAndAddHash(h uint64) (bool, error) { return m.f.TestAndAddHash(h), nil }

// NewScalable returns a storage over a filter that grows, for a crawl of unknown
// size, with cookies in memory. A filter that may not grow any more refuses new
// pages with blocked.ErrTooLarge.
func NewScalable(f *scalable.Filter, o Options) *Storage { return NewStorage(growing{f}, o) }

type growing struct{ *scalable.Filter }

func (g growing) HasHash(h uint64) (bool, error) { return g.Filter.HasHash(h), nil }

// NewFile returns a storage over a filter in a file, which other processes may
// share, with cookies in memory. Pages that were visited stay visited when the
// process is killed. The file's owner calls its Sync, without which pages may be
// fetched again after a crash of the system, and its Close, after which all pages
// are unknown.
func NewFile(f *filterfile.Shared, o Options) *Storage {
	return NewStorage(file{f, f.Params().Seed}, o)
}

type file struct {
	f    *filterfile.Shared
	seed uint64
}

func (f file) Seed() uint64 { return f.seed }

func (f file) HasHash(h uint64) (seen bool, err error) {
	defer catch(&err)
	return f.f.HasHash(h), nil
}

func (f file) TestAndAddHash(h uint64) (seen bool, err error) {
	defer catch(&err)
	return f.f.TestAndAddHash(h), nil
}

// catch turns the panics of a mapped file, which are about the outside, into
// errors.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case error:
		var fault *filterfile.FaultError
		if !errors.As(r, &fault) && !errors.Is(r, filterfile.ErrClosed) {
			panic(r)
		}
		*err = r
	default:
		panic(r)
	}
}
