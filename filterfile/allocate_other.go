//go:build !linux

package filterfile

import "os"

// allocate gives a part of a file zeros and space on the disk.
func allocate(f *os.File, from, n int64) error {
	return writeZeros(f, from, n)
}
