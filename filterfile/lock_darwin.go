package filterfile

// From <sys/fcntl.h>; x/sys does not have them.
const (
	ofdSetLock     = 90 // F_OFD_SETLK
	ofdSetLockWait = 91 // F_OFD_SETLKW
)
