package filterfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData waits until the data of the file is on the disk.
func syncData(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
