package generic

// Has reports whether all k bits of the key with hash h are set in t. It leaves
// at the first bit that is not set: half of the bits of a full filter are, so an
// absent key costs two probes on average.
func Has(t Table, h uint64) bool {
	if t.Shared() {
		return hasShared(t, h)
	}
	block, hi := t.block(h), uint32(h>>32)
	for i := range t.K() {
		p := Bit(hi, i)
		if block[p>>3&(BlockBytes-1)]>>(p&7)&1 == 0 {
			return false
		}
	}
	return true
}

// Add sets the k bits of the key with hash h in t.
func Add(t Table, h uint64) {
	if t.Shared() {
		addShared(t, h)
		return
	}
	block, hi := t.block(h), uint32(h>>32)
	for i := range t.K() {
		p := Bit(hi, i)
		block[p>>3&(BlockBytes-1)] |= 1 << (p & 7)
	}
}

// TestAndAdd is Add and reports whether the key was there before. In a shared
// table, of all concurrent calls for one key at most one returns false, and
// exactly one does unless bits of other keys made the key look present.
func TestAndAdd(t Table, h uint64) bool {
	if t.Shared() {
		return testAndAddShared(t, h)
	}
	if Has(t, h) {
		return true
	}
	Add(t, h)
	return false
}

// HasHashes tests a batch: bit i%64 of dst[i/64] becomes the answer for
// hashes[i]. The unused bits of the last word become 0, further words of dst
// stay as they are. dst has at least Words(len(hashes)) words.
func HasHashes(dst []uint64, t Table, hashes []uint64) {
	CheckAnswers(dst, len(hashes))
	for len(hashes) > 0 {
		n := min(len(hashes), 64)
		var word uint64
		for i, h := range hashes[:n] {
			if Has(t, h) {
				word |= 1 << i
			}
		}
		dst[0] = word
		dst, hashes = dst[1:], hashes[n:]
	}
}

// HasEach tests one key in many tables, which may differ in size and k: bit i%64
// of dst[i/64] becomes the answer of tables[i], with dst as in HasHashes.
func HasEach(dst []uint64, tables []Table, h uint64) {
	CheckAnswers(dst, len(tables))
	clear(dst[:Words(len(tables))])
	for i := range tables {
		if Has(tables[i], h) {
			dst[i/64] |= 1 << (i % 64)
		}
	}
}

// AddHashes adds a batch of keys, given by their hashes. In a shared table each
// key is added on its own: others may see some of them before the rest.
func AddHashes(t Table, hashes []uint64) {
	for _, h := range hashes {
		Add(t, h)
	}
}
