package filterfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/linebloom/linebloom/internal/format"
)

// Create makes a file with an empty filter, sized as blocked.New does, and opens
// it as OpenShared does. A file that exists already gives an error that wraps
// fs.ErrExist and is not touched. The space for all blocks is allocated now: a
// full disk is an error here, and not a fault later.
func Create(path string, capacity uint64, fpRate float64, opts ...blocked.Option) (*Shared, error) {
	h, err := newHeader(capacity, fpRate, opts)
	if err != nil {
		return nil, err
	}
	if err := createEmpty(path, h); err != nil {
		return nil, err
	}
	return OpenShared(path)
}

// OpenOrCreate opens the file as OpenShared does, or creates it if there is none.
// An existing file keeps its geometry, whatever the arguments say. If path is a
// symbolic link, the file that it names is created.
func OpenOrCreate(path string, capacity uint64, fpRate float64, opts ...blocked.Option) (*Shared, error) {
	for {
		path, _, err := atomicfile.Target(path)
		if err != nil {
			return nil, fmt.Errorf("linebloom: %w", err)
		}
		s, err := OpenShared(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		s, err = Create(path, capacity, fpRate, opts...)
		if !errors.Is(err, fs.ErrExist) { // somebody was faster
			return s, err
		}
	}
}

// CreateLike is Create with the geometry, seed and capacity of a filter, so that
// the two can be united.
func CreateLike(path string, f blocked.Viewer) (*Shared, error) {
	h := headerFor(f, f.View())
	h.CountState = format.Exact
	if err := createEmpty(path, h); err != nil {
		return nil, err
	}
	return OpenShared(path)
}

func newHeader(capacity uint64, fpRate float64, opts []blocked.Option) (format.Header, error) {
	p, err := blocked.ParamsFor(capacity, fpRate, opts...)
	if err != nil {
		return format.Header{}, err
	}
	return format.Header{
		Layout: format.Blocked, K: p.K, Seed: p.Seed, Blocks: p.Blocks,
		Capacity: capacity, FPRate: fpRate, CountState: format.Exact,
	}, nil
}

// createEmpty makes the file of an empty filter, in one step: nobody sees a part
// of it.
func createEmpty(path string, h format.Header) (err error) {
	if _, err := os.Lstat(path); err == nil { // before a lot is written
		return fmt.Errorf("linebloom: creating %s: %w", path, fs.ErrExist)
	}
	h.Place(format.FileAlign)
	if int64(h.TotalBytes()) != int64(int(h.TotalBytes())) {
		return fmt.Errorf("linebloom: creating %s: %w: %d bytes are more than this CPU can address",
			path, blocked.ErrTooLarge, h.TotalBytes())
	}
	tmp, err := atomicfile.CreateTemp(path, 0o666)
	if err != nil {
		return fmt.Errorf("linebloom: %w", err)
	}
	defer func() {
		tmp.Close()
		os.Remove(tmp.Name())
		if err != nil {
			err = fmt.Errorf("linebloom: creating %s: %w", path, err)
		}
	}()
	if err := writeEmpty(tmp, &h); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	// Link, unlike rename, fails if the path has come to exist meanwhile.
	if err := os.Link(tmp.Name(), path); err != nil {
		return err
	}
	return atomicfile.SyncFolder(path)
}

func writeEmpty(f *os.File, h *format.Header) error {
	if _, err := f.Write(h.Append(nil)); err != nil {
		return err
	}
	body := int64(h.BodyBytes())
	if err := allocate(f, int64(h.Offset), body); err != nil {
		return err
	}
	zeros := make([]byte, min(format.ChunkBytes, body))
	whole := format.Checksum(zeros)
	sums := make([]uint32, h.Chunks())
	for i := range sums {
		sums[i] = whole
	}
	from, to := h.Chunk(len(sums) - 1)
	sums[len(sums)-1] = format.Checksum(zeros[:to-from])
	_, err := f.WriteAt(h.AppendFooter(nil, sums), int64(h.Offset)+body)
	return err
}

// writeZeros is allocate for file systems that cannot do better.
func writeZeros(f *os.File, from, n int64) error {
	zeros := make([]byte, min(1<<20, n))
	w := io.NewOffsetWriter(f, from)
	for n > 0 {
		m, err := w.Write(zeros[:min(n, int64(len(zeros)))])
		if err != nil {
			return err
		}
		n -= int64(m)
	}
	return nil
}
