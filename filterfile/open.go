package filterfile

import (
	"bytes"
	"fmt"
	"math"
	"os"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// Verify says what Open checks.
type Verify int

const (
	// VerifyAll checks every byte, on all CPUs, before Open returns.
	VerifyAll Verify = iota

	// VerifyHeader checks the header and the size of the file. Opening takes
	// microseconds. What the blocks say is believed: if they are damaged, keys
	// that were added may be answered with no.
	VerifyHeader

	// VerifyLazy checks header, size and checksums, and each chunk of 64 KiB
	// when the first key asks for it. Opening takes microseconds for each GiB.
	// Keys of a damaged chunk are answered with maybe, and Err tells.
	VerifyLazy
)

// Options change how Open opens a file. The zero Options are the usual ones.
type Options struct {
	Verify Verify

	// Degraded opens a file although parts of it are damaged or cut off, if only
	// the header is whole. Every key whose block is not certainly whole is
	// answered with maybe, never with no, and Err tells what is damaged. The
	// filter is copied to memory if it is damaged.
	Degraded bool

	// InUse opens a file that others have open for writing, or did not close.
	// Its blocks cannot be checked then, whatever Verify says, and the view
	// sees what is added to them.
	InUse bool
}

// A File is a filter in a file that is not changed. It may be used by any number
// of goroutines. The file must not be written to meanwhile, which Save does not
// do: it makes a new one.
type File struct {
	reads
	header blocked.Header
	damage error // what was found in Degraded mode
}

// Open opens a file for look-ups. Its errors wrap blocked.ErrCorrupt,
// blocked.ErrUnsupported or blocked.ErrUnclean, or are those of the system.
func Open(path string, opts Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	file, err := open(f, opts)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

func open(f *os.File, opts Options) (*File, error) {
	h, size, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	if err := h.CheckLayout(format.Blocked); err != nil {
		return nil, err
	}
	wrongSize := h.CheckSize(size)
	switch {
	case h.TotalBytes() > math.MaxInt:
		return nil, fmt.Errorf("linebloom: %w: %d bytes are more than this CPU can address", blocked.ErrUnsupported, h.TotalBytes())
	case wrongSize != nil && opts.Degraded:
		return openDamaged(f, h, size, wrongSize)
	case wrongSize != nil:
		return nil, wrongSize
	case h.InUse && !opts.InUse:
		return nil, errUnclean
	}
	use := readOnly
	if opts.Verify == VerifyLazy && !h.InUse {
		use = private
	}
	m, err := newMapping(f, int(size), use)
	if err != nil {
		return nil, err
	}
	file := &File{reads: reads{mapping: m}, header: publicHeader(h)}
	body := m.bytes[h.Offset:][:h.BodyBytes()]
	if file.view, err = blocked.ViewOf(body, file.header.Params); err == nil && !h.InUse {
		err = m.try(func() error { return file.verify(h, body, opts) })
	}
	if err == nil {
		return file, nil
	}
	m.discard()
	if opts.Degraded {
		return openDamaged(f, h, size, err)
	}
	return nil, err
}

var errUnclean = fmt.Errorf("linebloom: %w: it is open for writing, or its writer died", blocked.ErrUnclean)

// verify checks the blocks as the options say.
func (f *File) verify(h format.Header, body []byte, opts Options) error {
	if opts.Verify == VerifyHeader {
		adviseRandom(body)
		return nil
	}
	footer := f.bytes[uint64(h.Offset)+h.BodyBytes():]
	was := bytes.Clone(footer)
	sums, err := h.ParseFooter(was)
	if err == nil && opts.Verify == VerifyLazy {
		adviseRandom(body)
		f.lazy = newLazy(h, body, sums)
		return nil
	}
	if err == nil {
		err = verifyAll(&h, body, sums)
	}
	if err != nil && (f.bytes[format.AtInUse] != 0 || !bytes.Equal(footer, was)) {
		return errUnclean // somebody opened it for writing after its header was read
	}
	return err
}

// readHeader reads and checks the header, its metadata and the size.
func readHeader(f *os.File) (h format.Header, size uint64, err error) {
	info, err := f.Stat()
	if err != nil {
		return h, 0, err
	}
	if !info.Mode().IsRegular() {
		return h, 0, fmt.Errorf("linebloom: %w: not a regular file", blocked.ErrCorrupt)
	}
	h, err = format.ReadHeader(f)
	return h, uint64(info.Size()), err
}

func publicHeader(h format.Header) blocked.Header {
	return blocked.Header{
		Params:   blocked.Params{Blocks: h.Blocks, K: h.K, Seed: h.Seed},
		Capacity: h.Capacity, FPRate: h.FPRate,
		Count: h.Count, CountState: blocked.CountState(h.CountState),
		Metadata: h.Metadata, Size: h.TotalBytes(), InUse: h.InUse,
	}
}

// Header returns what the file says of itself.
func (f *File) Header() blocked.Header { return f.header }

// Capacity returns the number of keys that the filter was made for; 0: not known.
func (f *File) Capacity() uint64 { return f.header.Capacity }

// TargetFPRate returns the rate that was asked for; 0: not known.
func (f *File) TargetFPRate() float64 { return f.header.FPRate }

// Stat returns what the system says of the file that is open here, which its path may
// not name any more.
func (f *File) Stat() (os.FileInfo, error) { return f.file.Stat() }

// Err returns what is known to be damaged, in a file that was opened Degraded or
// is verified lazily: an error that wraps blocked.ErrCorrupt, or nil.
func (f *File) Err() error {
	if f.lazy != nil {
		return f.lazy.failed()
	}
	return f.damage
}

// Close gives the memory back and closes the file. Whatever is called after it
// panics, or returns ErrClosed.
func (f *File) Close() error { return f.close() }
