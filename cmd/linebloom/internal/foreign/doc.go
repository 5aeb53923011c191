// Package foreign reads classic Bloom filters that other programs have written, so
// that the command can ask them: those of DCSO's bloom, which CIRCL's hashlookup
// uses too, and those of pybloomfiltermmap. The bits of such a filter lie anywhere
// in its memory, so it cannot be turned into the blocks of this library; it is
// asked as it is.
//
// # DCSO
//
//	8 bytes   1, the version; then all numbers of 64 bits, little-endian
//	8         n, the capacity
//	8         p, the wanted rate, IEEE 754
//	8         k
//	8         m, the number of bits
//	8         N, how many keys were added
//	          m bits in words of 64, little-endian
//	          data of the user, to the end
//
// With h = FNV-1 of the key, 64 bits, modulo 2^64-59, probe i multiplies h by
// 2^64-1469 (modulo 2^64), takes it modulo 2^64-59 again, and asks bit h mod m. The
// file may be compressed with gzip.
//
// # pybloomfiltermmap
//
//	9 bytes   MBITARRAY
//	8         m, the number of bits, little-endian as all that follows
//	4         the size of the header
//	          the header: a structure of C as it lay in memory, see layouts
//	          zeros up to a multiple of 256 bytes
//	          m bits, bit i in bit i%8 of byte i/8
//
// Probe i asks bit hash(seed[i], key) mod m. Which hash that is depends on the
// release and is not in the file, see Hashes. As text, the file is compressed by
// zlib and put into base64, twice.
package foreign
