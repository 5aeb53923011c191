//go:build linux || darwin

package filterfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Two bytes of a shared file are locked, not written. The locks belong to the
// open file and not to the process, so that two goroutines may open one file,
// and end with it, also if the process is killed.
const (
	// useByte is read-locked by everybody who has the file open.
	useByte = 0
	// doorByte is locked by who opens or closes the file.
	doorByte = 1
)

// lock sets a lock of kind unix.F_RDLCK, F_WRLCK or F_UNLCK on a byte, waiting
// for others if it has to.
func lock(f *os.File, at int64, kind int16) error {
	return lockBy(ofdSetLockWait, f, at, kind)
}

// tryLock is lock without waiting. It reports whether it has the lock.
func tryLock(f *os.File, at int64, kind int16) (bool, error) {
	err := lockBy(ofdSetLock, f, at, kind)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false, nil
	}
	return err == nil, err
}

func lockBy(cmd int, f *os.File, at int64, kind int16) error {
	l := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1}
	for {
		err := unix.FcntlFlock(f.Fd(), cmd, &l)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil && !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES) {
			return fmt.Errorf("linebloom: locking %s: %w", f.Name(), err)
		}
		return err
	}
}

// enterUse begins to use the file, and reports whether nobody else does. The door
// is locked until openDoor or endUse.
func enterUse(f *os.File) (alone bool, err error) {
	if err := lock(f, doorByte, unix.F_WRLCK); err != nil {
		return false, err
	}
	if alone, err = tryLock(f, useByte, unix.F_WRLCK); err == nil {
		err = lock(f, useByte, unix.F_RDLCK) // also from a write lock, which nobody can wait for
	}
	if err != nil {
		return false, errors.Join(err, endUse(f))
	}
	return alone, nil
}

// openDoor lets others open and close the file.
func openDoor(f *os.File) error { return lock(f, doorByte, unix.F_UNLCK) }

// endUse ends both locks, that of the door last: whoever waits there must not
// take f for somebody who uses the file. Closing f would end them too, but not at
// once if a process is being started meanwhile, which has a copy of f until it
// runs its program.
func endUse(f *os.File) error {
	return errors.Join(lock(f, useByte, unix.F_UNLCK), openDoor(f))
}

// leaveUse locks the door and reports whether nobody else uses the file. endUse
// follows it.
func leaveUse(f *os.File) (alone bool, err error) {
	if err := lock(f, doorByte, unix.F_WRLCK); err != nil {
		return false, err
	}
	return tryLock(f, useByte, unix.F_WRLCK)
}
