//go:build linux || darwin

package filterfile

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapFile maps size bytes of f.
func mapFile(f *os.File, size int, use use) ([]byte, error) {
	prot, flags := unix.PROT_READ, unix.MAP_SHARED
	switch use {
	case private:
		prot, flags = prot|unix.PROT_WRITE, unix.MAP_PRIVATE
	case shared:
		prot |= unix.PROT_WRITE
	}
	p, err := unix.Mmap(int(f.Fd()), 0, size, prot, flags)
	if err != nil {
		return nil, fmt.Errorf("linebloom: mapping %s: %w", f.Name(), err)
	}
	return p, nil
}

// unmapFile gives the memory back and leaves its addresses reserved, so that a
// look-up that still goes on faults and does not read what is mapped there next.
// release frees the addresses.
func unmapFile(p []byte) (release func(), err error) {
	base := unsafe.Pointer(unsafe.SliceData(p))
	if _, err := unix.MmapPtr(-1, 0, base, uintptr(len(p)), unix.PROT_NONE,
		unix.MAP_FIXED|unix.MAP_PRIVATE|unix.MAP_ANON); err != nil {
		return func() {}, fmt.Errorf("linebloom: unmapping: %w", err)
	}
	// unix.Mmap remembers its mappings by their last byte.
	return func() { unix.Munmap(p) }, nil
}

// adviseRandom tells the system not to read ahead: 29 instead of 751 microseconds
// for a look-up in a file of which nothing is in memory yet (BenchmarkCold).
func adviseRandom(p []byte) {
	unix.Madvise(p, unix.MADV_RANDOM)
}

// syncMapping writes the bytes of a shared mapping to the file.
func syncMapping(p []byte) error {
	return unix.Msync(p, unix.MS_SYNC)
}
