package filterfile

import "github.com/linebloom/linebloom/blocked"

// reads is the read side that File and Shared have in common. Its methods are
// those of blocked.View, and turn faults of the mapping into panics that can be
// recovered.
type reads struct {
	*mapping
	view blocked.View
	lazy *lazy // or nil
}

// Params returns the geometry of the filter.
func (r *reads) Params() blocked.Params { return r.view.Params() }

// Has reports whether key may have been added: false is certain.
func (r *reads) Has(key []byte) bool {
	return r.HasHash(blocked.HashKey(r.Params().Seed, key))
}

// HasString is Has of the bytes of s.
func (r *reads) HasString(s string) bool {
	return r.HasHash(blocked.HashString(r.Params().Seed, s))
}

// HasUint64 is Has of the eight little-endian bytes of x.
func (r *reads) HasUint64(x uint64) bool {
	return r.HasHash(blocked.HashUint64(r.Params().Seed, x))
}

// HasHash is Has of the key whose blocked.HashKey is h.
func (r *reads) HasHash(h uint64) bool {
	defer r.leave(r.enter())
	if r.lazy != nil {
		r.lazy.touch(h)
	}
	return r.view.HasHash(h)
}

// HasHashes tests a batch of keys, given by their hashes, with the answers of
// blocked.View.HasHashes.
func (r *reads) HasHashes(dst []uint64, hashes []uint64) int {
	defer r.leave(r.enter())
	r.touchAll(len(hashes), func(i int) uint64 { return hashes[i] })
	return r.view.HasHashes(dst, hashes)
}

// HasKeys tests a batch of keys, with the answers of blocked.View.HasHashes.
func (r *reads) HasKeys(dst []uint64, keys [][]byte) int {
	defer r.leave(r.enter())
	r.touchAll(len(keys), func(i int) uint64 { return blocked.HashKey(r.Params().Seed, keys[i]) })
	return r.view.HasKeys(dst, keys)
}

// HasStrings tests a batch of keys, with the answers of blocked.View.HasHashes.
func (r *reads) HasStrings(dst []uint64, keys []string) int {
	defer r.leave(r.enter())
	r.touchAll(len(keys), func(i int) uint64 { return blocked.HashString(r.Params().Seed, keys[i]) })
	return r.view.HasStrings(dst, keys)
}

// HasUint64s tests a batch of keys, with the answers of blocked.View.HasHashes.
func (r *reads) HasUint64s(dst []uint64, keys []uint64) int {
	defer r.leave(r.enter())
	r.touchAll(len(keys), func(i int) uint64 { return blocked.HashUint64(r.Params().Seed, keys[i]) })
	return r.view.HasUint64s(dst, keys)
}

// SelectHashes appends to dst the positions in hashes of the keys that may have
// been added, as blocked.View.SelectHashes does.
func (r *reads) SelectHashes(dst []uint32, hashes []uint64) []uint32 {
	defer r.leave(r.enter())
	r.touchAll(len(hashes), func(i int) uint64 { return hashes[i] })
	return r.view.SelectHashes(dst, hashes)
}

// touchAll makes sure that the chunks of n keys have been checked.
func (r *reads) touchAll(n int, hash func(i int) uint64) {
	if r.lazy == nil || r.lazy.done.Load() {
		return
	}
	for i := range n {
		r.lazy.touch(hash(i))
	}
}

// View returns a view of the filter in the mapped memory, for look-ups at full
// speed. It must not be used after Close, and a fault in it ends the program,
// see the package's comment. Chunks that VerifyLazy has not seen are checked
// first.
func (r *reads) View() blocked.View {
	defer r.leave(r.enter())
	if r.lazy != nil {
		r.lazy.checkAll()
	}
	return r.view
}

// FillRatio returns the fraction of bits that are set, 0 to 1.
func (r *reads) FillRatio() float64 {
	v := r.View()
	defer r.leave(r.enter())
	return v.FillRatio()
}

// EstimateCount returns an estimate of the number of distinct keys from the bits
// that are set, as blocked.View.EstimateCount does.
func (r *reads) EstimateCount() float64 {
	v := r.View()
	defer r.leave(r.enter())
	return v.EstimateCount()
}

// EstimateFPRate returns the false positive rate of the filter as it is filled
// now, 0 to 1.
func (r *reads) EstimateFPRate() float64 {
	v := r.View()
	defer r.leave(r.enter())
	return v.EstimateFPRate()
}

// Equal reports whether both filters have equal Params and equal bits.
func (r *reads) Equal(other blocked.Viewer) bool {
	v, w := r.View(), other.View()
	defer r.leave(r.enter())
	return v.Equal(w)
}
