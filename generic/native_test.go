package generic

import "encoding/binary"

// nativeBytes returns the bytes of w as they lie in memory.
func nativeBytes(w []uint64) []byte {
	var b []byte
	for _, x := range w {
		b = binary.NativeEndian.AppendUint64(b, x)
	}
	return b
}
