//go:build !unix

package atomicfile

// SyncFolder does nothing: this system keeps names by itself.
func SyncFolder(string) error { return nil }
