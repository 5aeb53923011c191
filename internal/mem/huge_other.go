//go:build !linux

package mem

// adviseHuge does nothing: other systems choose the size of pages themselves.
func adviseHuge([]byte) {}
