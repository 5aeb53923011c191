//go:build !unix

package filterfile

// syncFolder does nothing: this system keeps names by itself.
func syncFolder(string) error { return nil }
