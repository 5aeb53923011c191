//go:build unix

package filterfile

import (
	"os"
	"testing"

	"github.com/linebloom/linebloom/internal/format"
	"golang.org/x/sys/unix"
)

// A process may die at any instruction while it writes the state of a file that it
// closes. Here it faults, since a part of the state is on a page that cannot be
// written: whatever was written then, the file is in use, or its state is whole.
func TestAStateThatIsWrittenInPartIsInUse(t *testing.T) {
	hasMappings(t)
	page := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	protect := func(p []byte, prot int) {
		if err := unix.Mprotect(p, prot); err != nil {
			t.Fatal(err)
		}
	}
	h := format.Header{Layout: format.Blocked, K: 6, Blocks: 1, Count: 1, CountState: format.Exact}
	h.Place(format.FileAlign)
	clean := h.Append(nil)[:format.HeaderBytes]
	for split := format.AtCount; split <= format.HeaderBytes; split += 8 {
		for _, forbidden := range [][]byte{memory[:page], memory[page:]} {
			header := memory[page-split:][:format.HeaderBytes]
			copy(header, clean)
			stateOf(header).use()
			stateOf(header).add(1000)
			h.Count, h.CountState = 1001, format.Estimate
			protect(forbidden, unix.PROT_READ)
			err := caughtFault(func() { sealState(header, &h) })
			protect(forbidden, unix.PROT_READ|unix.PROT_WRITE)
			got, parseErr := format.Parse(header)
			whole := parseErr == nil && got.Count == 1001 && got.CountState == format.Estimate
			if err == nil && !whole || err != nil && !whole && header[format.AtInUse] == 0 {
				t.Errorf("split at byte %d: fault %v, header %v", split, err, parseErr)
			}
		}
	}
}
