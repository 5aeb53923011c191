package generic

// Has reports whether all k bits of the key with hash h are set in t. It leaves
// at the first bit that is not set: half of the bits of a full filter are, so an
// absent key costs two probes on average.
func Has(t Table, h uint64) bool {
	block, hi := t.block(h), uint32(h>>32)
	for i := range t.k {
		p := Bit(hi, i)
		if block[p>>3&(BlockBytes-1)]>>(p&7)&1 == 0 {
			return false
		}
	}
	return true
}

// Add sets the k bits of the key with hash h in t.
func Add(t Table, h uint64) {
	block, hi := t.block(h), uint32(h>>32)
	for i := range t.k {
		p := Bit(hi, i)
		block[p>>3&(BlockBytes-1)] |= 1 << (p & 7)
	}
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

// AddHashes adds a batch of keys, given by their hashes.
func AddHashes(t Table, hashes []uint64) {
	for _, h := range hashes {
		Add(t, h)
	}
}
