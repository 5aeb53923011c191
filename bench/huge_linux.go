package main

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// adviseMappings asks for huge pages for all anonymous memory that can be
// written. It needs no pointer to any of it.
func adviseMappings() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		var start, end, offset, inode uint64
		var perms, device, name string
		n, _ := fmt.Sscanf(string(line), "%x-%x %s %x %s %d %s", &start, &end, &perms, &offset, &device, &inode, &name)
		// Linux may show the purpose of Go's memory as "[anon: Go: heap]".
		if n < 6 || perms != "rw-p" || inode != 0 || (name != "" && name != "[anon:") {
			continue
		}
		// It is advice: where the system refuses it, nothing is lost.
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(start), uintptr(end-start), unix.MADV_HUGEPAGE)
	}
}
