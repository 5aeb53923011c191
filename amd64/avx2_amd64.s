//go:build !purego

// AVX2 kernels. The picture and the arithmetic of a block are in package
// generic. A round of a key, up to eight probes, is one vector of eight dwords:
//
//	PRODUCT = hi * salts                     VPMULLD
//	LINE    = sign(PRODUCT) ? upper : lower  VBLENDVPS by PRODUCT itself
//	BIT     = (PRODUCT << 1) >> 27           five bits below the sign
//	BITS    = window(s) << BIT               VPSLLVD of a row of ones and zeros
//	hit     = (~LINE & BITS) == 0            VPTEST leaves this in the carry
//
// Above eight probes a second round goes over the same line with other salts.

#include "go_asm.h"
#include "textflag.h"
#include "kernel_amd64.h"

#define PRODUCT  Y0
#define LINE     Y1
#define BITS     Y2
#define PRODUCT2 Y3
#define LINE2    Y4
#define BITS2    Y5
#define LOWER    Y6
#define UPPER    Y7
#define ZERO     Y12
#define ONES     Y13 // the window of eight lanes
#define SALTS2   Y14
#define SALTS    Y15

// SHIFT: PRODUCT becomes the numbers of its bits in their words.
#define SHIFT(product) \
	VPSLLD $1, product, product; \
	VPSRLD $27, product, product

// TEST leaves CF = 1 if all bits of the key at at(HASHES) are set, k < 8.
#define TEST(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT; \
	WINDOW(at); \
	VPMULLD SALTS, PRODUCT, PRODUCT; \
	VMOVDQU (DATA)(OFF*1), LINE; \
	VBLENDVPS PRODUCT, 32(DATA)(OFF*1), LINE, LINE; \
	SHIFT(PRODUCT); \
	VMOVDQU (ROWS)(ROW*1), BITS; \
	VPSLLVD PRODUCT, BITS, BITS; \
	VPTEST BITS, LINE

// TEST8 is TEST for k = 8, when the window is the whole row.
#define TEST8(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT; \
	VPMULLD SALTS, PRODUCT, PRODUCT; \
	VMOVDQU (DATA)(OFF*1), LINE; \
	VBLENDVPS PRODUCT, 32(DATA)(OFF*1), LINE, LINE; \
	SHIFT(PRODUCT); \
	VPSLLVD PRODUCT, ONES, BITS; \
	VPTEST BITS, LINE

// TEST16 is TEST for k > 8. The misses of both rounds are merged; VPTEST against
// zero then asks whether there are none.
#define TEST16(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT2; \
	WINDOW(at); \
	VPMULLD SALTS, PRODUCT2, PRODUCT; \
	VPMULLD SALTS2, PRODUCT2, PRODUCT2; \
	VMOVDQU (DATA)(OFF*1), LOWER; \
	VMOVDQU 32(DATA)(OFF*1), UPPER; \
	VBLENDVPS PRODUCT, UPPER, LOWER, LINE; \
	VBLENDVPS PRODUCT2, UPPER, LOWER, LINE2; \
	SHIFT(PRODUCT); \
	SHIFT(PRODUCT2); \
	VMOVDQU (ROWS)(ROW*1), BITS2; \
	VPSLLVD PRODUCT, ONES, BITS; \
	VPSLLVD PRODUCT2, BITS2, BITS2; \
	VPANDN BITS, LINE, BITS; \
	VPANDN BITS2, LINE2, BITS2; \
	VPOR BITS2, BITS, BITS; \
	VPTEST BITS, ZERO

// SETUP loads the constants of every kernel and, for K probes, the rows of the
// window that the last round has.
#define SETUP \
	VMOVDQU ·salts+0(SB), SALTS; \
	LEAQ ·windows(SB), ROWS; \
	VMOVDQU (8*256)(ROWS), ONES

#define SETUP_ROWS \
	SHLQ $8, K; \
	ADDQ K, ROWS

#define SETUP16 \
	SUBQ $8, K; \
	SETUP_ROWS; \
	VMOVDQU ·salts+32(SB), SALTS2; \
	VPXOR ZERO, ZERO, ZERO

// func hasAVX2(t generic.Table, h uint64) bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-41
	ONE_ARGS
	SETUP
	CMPQ K, $8
	JGT  two
	SETUP_ROWS
	TEST(0)
	SETCS ret+40(FP)
	VZEROUPPER
	RET

two:
	SETUP16
	TEST16(0)
	SETCS ret+40(FP)
	VZEROUPPER
	RET

// func hasBatchAVX2(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasBatchAVX2(SB), NOSPLIT, $0-56
	HAS_ARGS
	SETUP
	CMPQ K, $8
	JEQ  word8
	JGT  two
	SETUP_ROWS
	WORDS(TEST, word, four, rest, one, store)
	WORDS(TEST8, word8, four8, rest8, one8, store8)

two:
	SETUP16
	WORDS(TEST16, word16, four16, rest16, one16, store16)

// func hasAheadAVX2(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasAheadAVX2(SB), NOSPLIT, $0-56
	HAS_ARGS
	SETUP
	CMPQ K, $8
	JEQ  word8
	JGT  two
	SETUP_ROWS
	WORDS_AHEAD(TEST, word, four)
	WORDS_AHEAD(TEST8, word8, four8)

two:
	SETUP16
	WORDS_AHEAD(TEST16, word16, four16)

// One key in many tables. Its products and bit numbers serve them all; BITS1 are
// the bits of a whole first round.

#define SIGNS  Y8
#define SIGNS2 Y9
#define BITS1  Y10

#define ONE \
	VMOVDQU (ROWS)(K*1), BITS; \
	VMOVDQU (BLOCK), LINE; \
	VBLENDVPS SIGNS, 32(BLOCK), LINE, LINE; \
	VPSLLVD PRODUCT, BITS, BITS; \
	VPTEST BITS, LINE

#define TWO \
	VMOVDQU (-8*256)(ROWS)(K*1), BITS2; \
	VMOVDQU (BLOCK), LOWER; \
	VMOVDQU 32(BLOCK), UPPER; \
	VBLENDVPS SIGNS, UPPER, LOWER, LINE; \
	VBLENDVPS SIGNS2, UPPER, LOWER, LINE2; \
	VPSLLVD PRODUCT2, BITS2, BITS2; \
	VPANDN BITS1, LINE, BITS; \
	VPANDN BITS2, LINE2, BITS2; \
	VPOR BITS2, BITS, BITS; \
	VPTEST BITS, ZERO

// func hasEachAVX2(dst *uint64, tables *generic.Table, n int, h uint64)
TEXT ·hasEachAVX2(SB), NOSPLIT, $512-32
	EACH_ARGS
	FIND(find)
	VMOVD HI, X0
	VPBROADCASTD X0, PRODUCT
	VPMULLD ·salts+32(SB), PRODUCT, SIGNS2
	VPMULLD ·salts+0(SB), PRODUCT, SIGNS
	VPSLLD $1, SIGNS, PRODUCT
	VPSLLD $1, SIGNS2, PRODUCT2
	VPSRLD $27, PRODUCT, PRODUCT
	VPSRLD $27, PRODUCT2, PRODUCT2
	LEAQ ·windows(SB), ROWS
	VMOVDQU (8*256)(ROWS), BITS1
	VPSLLVD PRODUCT, BITS1, BITS1
	VPXOR ZERO, ZERO, ZERO
	ANDL $0xE0, HI
	ADDQ HI, ROWS
	XORL AX, AX
	EACH(ONE, TWO, next, more)

// Adding. The sign of the product, spread over its word, sends the bits to the
// upper row or to the lower one. Both rows are loaded, merged and stored key by
// key: two keys of a batch may share a block.

#define SIGN  LINE
#define SIGN2 LINE2

// ADD sets the bits of the key at at(HASHES), k <= 8.
#define ADD(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT; \
	WINDOW(at); \
	VPMULLD SALTS, PRODUCT, PRODUCT; \
	VPSRAD $31, PRODUCT, SIGN; \
	SHIFT(PRODUCT); \
	VMOVDQU (ROWS)(ROW*1), BITS; \
	VPSLLVD PRODUCT, BITS, BITS; \
	VPAND SIGN, BITS, UPPER; \
	VPANDN BITS, SIGN, LOWER; \
	VPOR (DATA)(OFF*1), LOWER, LOWER; \
	VPOR 32(DATA)(OFF*1), UPPER, UPPER; \
	VMOVDQU LOWER, (DATA)(OFF*1); \
	VMOVDQU UPPER, 32(DATA)(OFF*1)

// ADD16 is ADD for k > 8.
#define ADD16(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT2; \
	WINDOW(at); \
	VPMULLD SALTS, PRODUCT2, PRODUCT; \
	VPMULLD SALTS2, PRODUCT2, PRODUCT2; \
	VPSRAD $31, PRODUCT, SIGN; \
	VPSRAD $31, PRODUCT2, SIGN2; \
	SHIFT(PRODUCT); \
	SHIFT(PRODUCT2); \
	VMOVDQU (ROWS)(ROW*1), BITS2; \
	VPSLLVD PRODUCT, ONES, BITS; \
	VPSLLVD PRODUCT2, BITS2, BITS2; \
	VPAND SIGN, BITS, UPPER; \
	VPANDN BITS, SIGN, LOWER; \
	VPAND SIGN2, BITS2, SIGN; \
	VPANDN BITS2, SIGN2, BITS2; \
	VPOR SIGN, UPPER, UPPER; \
	VPOR BITS2, LOWER, LOWER; \
	VPOR (DATA)(OFF*1), LOWER, LOWER; \
	VPOR 32(DATA)(OFF*1), UPPER, UPPER; \
	VMOVDQU LOWER, (DATA)(OFF*1); \
	VMOVDQU UPPER, 32(DATA)(OFF*1)

// func addBatchAVX2(t generic.Table, hashes *uint64, n int)
TEXT ·addBatchAVX2(SB), NOSPLIT, $0-48
	ADD_ARGS
	SETUP
	CMPQ K, $8
	JGT  two
	SETUP_ROWS
	ADDS(ADD, one)

two:
	SETUP16
	ADDS(ADD16, one16)

// func addAheadAVX2(t generic.Table, hashes *uint64, n int)
TEXT ·addAheadAVX2(SB), NOSPLIT, $0-48
	ADD_ARGS
	SETUP
	CMPQ K, $8
	JGT  two
	SETUP_ROWS
	ADDS_AHEAD(ADD, one)

two:
	SETUP16
	ADDS_AHEAD(ADD16, one16)

// Hashing: generic.HashUint64 for four keys in a vector of 64-bit lanes. AVX2
// has no 64-bit multiplication, so three of 32 bits make one:
//
//	x*m mod 2^64 = lo(x)*lo(m) + (hi(x)*lo(m) + lo(x)*hi(m)) << 32

#define X        Y0
#define T        Y1
#define U        Y2
#define FLIP     Y8
#define EIGHT    Y9
#define FACTOR   Y10 // rrmxmx of generic/hash.go; VPMULUDQ takes its low half
#define FACTORHI Y11 // its high half

#define MULTIPLY \
	VPSRLQ $32, X, T; \
	VPMULUDQ FACTOR, T, T; \
	VPMULUDQ FACTORHI, X, U; \
	VPADDQ U, T, T; \
	VPSLLQ $32, T, T; \
	VPMULUDQ FACTOR, X, X; \
	VPADDQ T, X, X

// ROTATE: T = X rotated left by n.
#define ROTATE(n) \
	VPSLLQ $n, X, T; \
	VPSRLQ $(64-n), X, U; \
	VPOR U, T, T

// func hashBatchAVX2(dst *uint64, flip uint64, keys *uint64, n int)
TEXT ·hashBatchAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DX
	VPBROADCASTQ flip+8(FP), FLIP
	MOVQ keys+16(FP), SI
	MOVQ n+24(FP), BX
	MOVQ $0x9FB21C651E98DF25, AX
	VMOVQ AX, X10
	VPBROADCASTQ X10, FACTOR
	VPSRLQ $32, FACTOR, FACTORHI
	MOVL $8, AX
	VMOVQ AX, X9
	VPBROADCASTQ X9, EIGHT

	PCALIGN $32
four:
	VPSHUFD $0xB1, (SI), X // the halves of each key change places
	VPXOR FLIP, X, X
	ROTATE(49)
	VMOVDQA T, Y3
	ROTATE(24)
	VPXOR Y3, X, X
	VPXOR T, X, X
	MULTIPLY
	VPSRLQ $35, X, T
	VPADDQ EIGHT, T, T
	VPXOR T, X, X
	MULTIPLY
	VPSRLQ $28, X, T
	VPXOR T, X, X
	VMOVDQU X, (DX)
	ADDQ $32, SI
	ADDQ $32, DX
	SUBQ $4, BX
	JNZ four
	VZEROUPPER
	RET
