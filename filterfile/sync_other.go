//go:build !linux

package filterfile

import "os"

// syncData waits until the data of the file is on the disk.
func syncData(f *os.File) error { return f.Sync() }
