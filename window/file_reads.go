package window

import (
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// Do calls f with the file that is open now, which stays open until f has returned.
// What f keeps of it must not be used after that.
func (f *File) Do(do func(*filterfile.File) error) error {
	o, at := f.use()
	defer o.done(at)
	return do(o.File)
}

// Header returns what the file says of itself.
func (f *File) Header() blocked.Header {
	o, at := f.use()
	defer o.done(at)
	return o.Header()
}

// Params returns the geometry of the filter. It may be another one at the next call.
func (f *File) Params() blocked.Params { return f.Header().Params }

// Has reports whether key is in the filter: false is certain.
func (f *File) Has(key []byte) bool {
	o, at := f.use()
	defer o.done(at)
	return o.Has(key)
}

// HasString is Has of the bytes of key.
func (f *File) HasString(key string) bool {
	o, at := f.use()
	defer o.done(at)
	return o.HasString(key)
}

// HasUint64 is Has of the eight little-endian bytes of key.
func (f *File) HasUint64(key uint64) bool {
	o, at := f.use()
	defer o.done(at)
	return o.HasUint64(key)
}

// HasHash is Has of the key whose blocked.HashKey is h. The seed may change with the
// file.
func (f *File) HasHash(h uint64) bool {
	o, at := f.use()
	defer o.done(at)
	return o.HasHash(h)
}

// HasHashes tests a batch of keys, given by their hashes, with the answers of
// blocked.View.HasHashes. All of them come from one file.
func (f *File) HasHashes(dst, hashes []uint64) int {
	o, at := f.use()
	defer o.done(at)
	return o.HasHashes(dst, hashes)
}

// HasKeys is HasHashes of keys.
func (f *File) HasKeys(dst []uint64, batch [][]byte) int {
	o, at := f.use()
	defer o.done(at)
	return o.HasKeys(dst, batch)
}

// HasStrings is HasHashes of keys that are strings.
func (f *File) HasStrings(dst []uint64, batch []string) int {
	o, at := f.use()
	defer o.done(at)
	return o.HasStrings(dst, batch)
}

// HasUint64s is HasHashes of keys that are numbers.
func (f *File) HasUint64s(dst, batch []uint64) int {
	o, at := f.use()
	defer o.done(at)
	return o.HasUint64s(dst, batch)
}
