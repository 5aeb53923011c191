package filterfile

import "golang.org/x/sys/unix"

const (
	ofdSetLock     = unix.F_OFD_SETLK
	ofdSetLockWait = unix.F_OFD_SETLKW
)
