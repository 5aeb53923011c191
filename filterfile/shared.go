package filterfile

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// A Shared is a filter in a file that several processes, and any number of
// goroutines in each, read and add to at the same time, with the methods and the
// guarantees of blocked.AtomicFilter.
//
// What is added is in the system's memory at once: the other processes see it,
// and it stays when this process dies. Sync makes it stay when the system
// crashes. The last process that closes the file writes its checksums; until then
// Open refuses it, unless told not to.
type Shared struct {
	reads
	filter  *blocked.AtomicFilter
	state   state
	header  format.Header
	unclean bool

	syncing sync.Mutex // or closing
	failed  error      // of Sync, for ever
}

// OpenShared opens a file for reading and adding. If nobody else has it open, and
// it was closed in order, all its bytes are checked first. Its errors are as
// those of Open. Only Linux and macOS can share files; elsewhere the error wraps
// errors.ErrUnsupported.
func OpenShared(path string) (*Shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	s, err := openShared(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func openShared(f *os.File) (s *Shared, err error) {
	alone, err := enterUse(f)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, endUse(f))
		} else if err = openDoor(f); err != nil {
			s.close()
			s = nil
		}
	}()
	h, size, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	if err := h.CheckLayout(format.Blocked); err != nil {
		return nil, err
	}
	if err := h.CheckSize(size); err != nil {
		return nil, err
	}
	if int64(int(size)) != int64(size) {
		return nil, fmt.Errorf("linebloom: %w: %d bytes are more than this CPU can address", blocked.ErrUnsupported, size)
	}
	m, err := newMapping(f, int(size), shared)
	if err != nil {
		return nil, err
	}
	s = &Shared{reads: reads{mapping: m}, state: stateOf(m.bytes), header: h}
	if err := m.try(func() error { return s.begin(alone) }); err != nil {
		m.discard()
		return nil, err
	}
	return s, nil
}

// begin checks and marks the mapped file, while the door is locked.
func (s *Shared) begin(alone bool) (err error) {
	h := &s.header
	p := publicHeader(*h).Params
	if s.filter, err = blocked.AtomicOf(wordsOf(s.bytes, h.Offset, h.BodyBytes()), p); err != nil {
		return err
	}
	s.view = s.filter.View()
	if !alone { // the first one did it
		s.state.join()
		return nil
	}
	if h.InUse {
		s.unclean = true
		s.state.worsen(format.Estimate)
	} else {
		body := uint64(h.Offset) + h.BodyBytes()
		sums, err := h.ParseFooter(s.bytes[body:])
		if err != nil {
			return err
		}
		if err := verifyAll(h, s.bytes[h.Offset:body], sums); err != nil {
			return err
		}
	}
	s.state.use()
	// Before the first bit is set: a crash from now on must not leave a file that
	// looks whole and has wrong checksums.
	return syncMapping(s.bytes[:min(len(s.bytes), format.FileAlign)])
}

// Unclean reports whether the file was not closed in order before it was opened:
// a process died, or the system. Its count of keys is an estimate then.
func (s *Shared) Unclean() bool { return s.unclean }

// Header returns what the file said of itself when it was opened.
func (s *Shared) Header() blocked.Header { return publicHeader(s.header) }

// Capacity returns the number of keys that the file was made for; 0: not known.
func (s *Shared) Capacity() uint64 { return s.header.Capacity }

// TargetFPRate returns the rate that was asked for; 0: not known.
func (s *Shared) TargetFPRate() float64 { return s.header.FPRate }

// Len returns how many keys TestAndAdd has reported as new since the file was
// made, in all processes. That is the number of distinct keys, less those that
// were taken for others, as long as CountState is blocked.Exact. After Union or
// Intersect the error wraps blocked.ErrIndeterminateCount.
func (s *Shared) Len() (n uint64, err error) {
	err = s.try(func() error {
		count, state := s.state.load()
		if state == format.Indeterminate {
			return fmt.Errorf("linebloom: %s: %w", s.file.Name(), blocked.ErrIndeterminateCount)
		}
		n = count
		return nil
	})
	return n, err
}

// CountState returns what Len is worth: exact while only TestAndAdd added keys
// and every process closed the file in order, an estimate (too low) after other
// adds and after a crash, indeterminate after Union and Intersect.
func (s *Shared) CountState() blocked.CountState {
	defer s.leave(s.enter())
	_, state := s.state.load()
	return blocked.CountState(state)
}

// Sync writes everything that was added before the call, by any process, to the
// disk and waits until it is there. Once it has failed it fails for ever, with
// the same error: the system may have dropped what it could not write.
func (s *Shared) Sync() error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if s.closed.Load() {
		return s.errClosed()
	}
	if s.failed == nil {
		if err := errors.Join(syncMapping(s.bytes), syncData(s.file)); err != nil {
			s.failed = fmt.Errorf("linebloom: syncing %s: %w", s.file.Name(), err)
		}
	}
	return s.failed
}

// Close syncs and closes the file. If nobody else has it open, it writes the
// checksums first. What other goroutines do with s at the same time panics with
// ErrClosed, or returns it, and so does whatever follows; a key that TestAndAdd was
// adding may be in the file and not in Len then.
func (s *Shared) Close() error {
	synced := s.Sync()
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if s.closed.Swap(true) {
		return s.errClosed()
	}
	s.running.await()
	left := (&mapping{file: s.file}).try(func() error { s.state.leave(); return nil })
	release, err := unmapFile(s.bytes) // whoever still adds stops now
	s.release(release)
	alone, err2 := leaveUse(s.file)
	err = errors.Join(synced, left, err, err2)
	if alone && err == nil {
		err = finish(s.file, s.header)
	}
	return errors.Join(err, endUse(s.file), s.file.Close())
}

// finish writes checksums and state of a file that nobody adds to any more.
func finish(f *os.File, h format.Header) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := h.CheckSize(uint64(info.Size())); err != nil { // a page may hide that it was cut short
		return err
	}
	p, err := mapFile(f, int(h.TotalBytes()), shared)
	if err != nil {
		return err
	}
	m := &mapping{file: f, bytes: p}
	err = m.try(func() error { return m.seal(h) })
	release, err2 := unmapFile(p)
	release()
	return errors.Join(err, err2)
}

func (m *mapping) seal(h format.Header) error {
	end := uint64(h.Offset) + h.BodyBytes()
	body := m.bytes[h.Offset:end]
	sums := make([]uint32, h.Chunks())
	forChunks(len(sums), func(i int) {
		from, to := h.Chunk(i)
		sums[i] = format.Checksum(body[from:to])
	})
	copy(m.bytes[end:], h.AppendFooter(nil, sums))
	if err := errors.Join(syncMapping(m.bytes), syncData(m.file)); err != nil {
		return err
	}
	// Only now, when the checksums are on the disk, does the file count as whole.
	st := stateOf(m.bytes)
	if st.users() > 0 { // somebody died, perhaps between adding a key and counting it
		st.worsen(format.Estimate)
	}
	h.Count, h.CountState = st.load()
	h.InUse = false
	sealState(m.bytes, &h)
	return errors.Join(syncMapping(m.bytes[:min(len(m.bytes), format.FileAlign)]), syncData(m.file))
}
