package filterfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a part of a file zeros and space on the disk.
func allocate(f *os.File, from, n int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, from, n)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return writeZeros(f, from, n)
		}
		return err
	}
}
