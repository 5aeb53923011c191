// Package generic is the specification of linebloom in plain Go: where the
// bits of a key lie, how they are set and how they are tested. Every assembly
// kernel must give exactly the bits and the answers of this package, on every
// CPU, and is tested against it. It is also the code that runs where no kernel
// can.
//
// # The filter
//
// A filter is a run of B blocks of 64 bytes, one cache line each,
// 1 <= B <= 2^32. All k bits of a key (1 <= k <= 16) lie in one block, so a
// look-up touches one line of memory. That is what makes it fast; the price is
// that some blocks get more keys than others, which costs a few per cent of
// memory against a filter whose bits lie anywhere.
//
// A key is known by its 64-bit hash h = XXH3-64(key, seed). The two halves of
// the hash do different work. If they shared bits, keys of one block would also
// resemble each other inside it, and large filters would be wrong twice as
// often:
//
//	lo = low 32 bits of h     chooses the block:  (lo * B) >> 32
//	hi = high 32 bits of h    chooses the bits inside the block
//
// # The block
//
// A block is two rows of eight 32-bit words (dwords). Lane j owns word j of
// the lower row and word j of the upper row, 64 bits in all:
//
//	lane          0      1      2      3      4      5      6      7
//	          +------+------+------+------+------+------+------+------+
//	lower row | w 0  | w 1  | w 2  | w 3  | w 4  | w 5  | w 6  | w 7  |  bytes  0..31
//	          +------+------+------+------+------+------+------+------+
//	upper row | w 8  | w 9  | w 10 | w 11 | w 12 | w 13 | w 14 | w 15 |  bytes 32..63
//	          +------+------+------+------+------+------+------+------+
//	                        \____________ window ____________/
//	                        start s = 2, k = 5: one bit in each of lanes 2..6
//
// A key sets one bit in each of k neighbouring lanes, the window. It starts at
// lane s = (hi >> 5) & 7 and wraps around. If it did not move, lanes 0..k-1
// would fill while the others stayed empty.
//
// Which of the lane's 64 bits it is comes from a multiplication. The lane's
// salt is a power of the golden ratio's odd 32-bit constant, and the top six
// bits of the 32-bit product say where:
//
//	v = (hi * Salts[j]) mod 2^32 >> 26
//	v = h b b b b b      h: lower or upper row      bbbbb: bit of that word
//
// With k > 8 the window has gone around once. A second round does the same
// with the next eight salts and the remaining k-8 probes, so that a lane can
// hold two bits of one key.
//
// Every lane gets at most one bit in a round, so a round of one key is exactly
// one vector of eight words: multiply by the salts, blend the two rows by the
// sign bit of the product, shift a one into place, compare. No gather, no
// permutation, no conflicts.
//
// # Bytes
//
// Bit p of a block is bit p&7 of byte p>>3: little-endian words, on any CPU.
// This package reads and writes single bytes and is therefore right on
// big-endian CPUs too; on shared tables it works on 64-bit words with atomic
// operations and mirrors their bytes where it must.
//
// An example, for hi = 0x01234567 and k = 16. The start is lane 3, since
// (0x01234567 >> 5) & 7 = 3, and the bits of the sixteen probes are
//
//	96 401 189 462 485 0 318 338   (first round: lanes 3 4 5 6 7 0 1 2)
//	377 415 434 194 230 19 317 321 (second round, the same lanes)
//
// The first is 32*3 + 0 = 96: in lane 3, v is 0, so the row is the lower one
// and the bit of the word is bit 0.
package generic
