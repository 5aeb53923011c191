package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHuge asks for huge pages for the whole pages inside b. It is advice: a
// kernel without transparent huge pages refuses it, and nothing is lost.
func adviseHuge(b []byte) {
	page := uintptr(os.Getpagesize())
	head := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (page - 1)
	if uintptr(len(b)) < head+page {
		return
	}
	b = b[head:]
	_ = unix.Madvise(b[:uintptr(len(b))&^(page-1)], unix.MADV_HUGEPAGE)
}
