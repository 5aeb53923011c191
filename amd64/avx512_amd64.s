//go:build !purego

// AVX-512 kernels (F, VL, DQ). The AVX2 kernels' plan, with two shortcuts:
//
//	half    VPMOVD2M makes the signs of the products a mask, and a masked load
//	        of the upper row over the lower one replaces VBLENDVPS (three
//	        micro-ops)
//	bit     VPROLVD takes its count modulo 32, so PRODUCT >> 26 serves as it
//	        is: the sign that is still on top of the five bits does not matter
//
// Up to eight probes a round is one 256-bit vector. Above eight both rounds are
// one vector of sixteen dwords: the lower row stands twice in a register, and
// the upper one is loaded over it, twice, under the mask.

#include "go_asm.h"
#include "textflag.h"
#include "kernel_amd64.h"

#define PRODUCT  Y0
#define LINE     Y1
#define BITS     Y2
#define ONES     Y13
#define SALTS    Y15

#define ZPRODUCT Z0
#define ZLINE    Z1
#define ZBITS    Z2
#define ZPRODUCT2 Z3
#define ZFLIP     Z12 // the sign bit in the lower row's dwords
#define ZONES    Z13
#define ZSALTS2  Z14
#define ZSALTS   Z15

#define HALF   K1 // the product's sign
#define FOUND  K2 // lanes whose bit is set
#define UNUSED K3 // lanes that have no probe

// TEST leaves CF = 1 if all bits of the key at at(HASHES) are set, k < 8.
#define TEST(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT; \
	WINDOW(at); \
	VPMULLD SALTS, PRODUCT, PRODUCT; \
	VMOVDQU (DATA)(OFF*1), LINE; \
	VPMOVD2M PRODUCT, HALF; \
	VMOVDQU32 32(DATA)(OFF*1), HALF, LINE; \
	VPSRLD $26, PRODUCT, PRODUCT; \
	VMOVDQU (ROWS)(ROW*1), BITS; \
	VPROLVD PRODUCT, BITS, BITS; \
	VPTEST BITS, LINE

// TEST8 is TEST for k = 8, when the window is the whole row.
#define TEST8(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), PRODUCT; \
	VPMULLD SALTS, PRODUCT, PRODUCT; \
	VMOVDQU (DATA)(OFF*1), LINE; \
	VPMOVD2M PRODUCT, HALF; \
	VMOVDQU32 32(DATA)(OFF*1), HALF, LINE; \
	VPSRLD $26, PRODUCT, PRODUCT; \
	VPROLVD PRODUCT, ONES, BITS; \
	VPTEST BITS, LINE

// TEST16 is TEST for k > 8: every lane is found set or unused. KORTESTW leaves
// CF = 1 if the two masks cover all sixteen.
#define TEST16(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), ZPRODUCT; \
	MOVBLZX 4+at(HASHES), ROW; \
	SHRL $5, ROW; \
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT; \
	VBROADCASTI32X8 (DATA)(OFF*1), ZLINE; \
	VPMOVD2M ZPRODUCT, HALF; \
	VBROADCASTI32X8 32(DATA)(OFF*1), HALF, ZLINE; \
	VPSRLD $26, ZPRODUCT, ZPRODUCT; \
	VPROLVD ZPRODUCT, ZONES, ZBITS; \
	KMOVW (ROWS)(ROW*2), UNUSED; \
	VPTESTMD ZBITS, ZLINE, FOUND; \
	KORTESTW UNUSED, FOUND

// SETUP loads the constants of one round.
#define SETUP \
	VMOVDQU ·salts+0(SB), SALTS; \
	LEAQ ·windows(SB), ROWS; \
	VMOVDQU (8*256)(ROWS), ONES; \
	SHLQ $8, K; \
	ADDQ K, ROWS

// SETUP16 loads those of two rounds. ROWS becomes the masks of unused lanes,
// unused[k-8].
#define SETUP16 \
	SUBQ $8, K; \
	SHLQ $4, K; \
	LEAQ ·unused(SB), ROWS; \
	ADDQ K, ROWS; \
	MOVL $1, TEMP; \
	VPBROADCASTD TEMP, ZONES; \
	VMOVDQU32 ·salts+0(SB), ZSALTS

// func hasAVX512(t generic.Table, h uint64) bool
TEXT ·hasAVX512(SB), NOSPLIT, $0-41
	ONE_ARGS
	CMPQ K, $8
	JGT  two
	SETUP
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

// func hasBatchAVX512(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasBatchAVX512(SB), NOSPLIT, $0-56
	HAS_ARGS
	CMPQ K, $8
	JGT  two
	JEQ  eight
	SETUP
	WORDS(TEST, word, four, rest, one, store)

eight:
	SETUP
	WORDS(TEST8, word8, four8, rest8, one8, store8)

two:
	SETUP16
	WORDS(TEST16, word16, four16, rest16, one16, store16)

// func hasAheadAVX512(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasAheadAVX512(SB), NOSPLIT, $0-56
	HAS_ARGS
	CMPQ K, $8
	JGT  two
	JEQ  eight
	SETUP
	WORDS_AHEAD(TEST, word, four)

eight:
	SETUP
	WORDS_AHEAD(TEST8, word8, four8)

two:
	SETUP16
	WORDS_AHEAD(TEST16, word16, four16)

// One key in many tables. Its products, halves and bit numbers serve them all.

#define ONE \
	VMOVDQU (ROWS)(K*1), BITS; \
	VMOVDQU (BLOCK), LINE; \
	VMOVDQU32 32(BLOCK), HALF, LINE; \
	VPROLVD PRODUCT, BITS, BITS; \
	VPTEST BITS, LINE

#define TWO \
	SHRQ $4, K; \
	KMOVW (-8*16)(HI)(K*1), UNUSED; \
	VBROADCASTI32X8 (BLOCK), ZLINE; \
	VBROADCASTI32X8 32(BLOCK), HALF, ZLINE; \
	VPTESTMD ZBITS16, ZLINE, FOUND; \
	KORTESTW UNUSED, FOUND

#define ZBITS16 Z3 // the bits of all sixteen probes

// func hasEachAVX512(dst *uint64, tables *generic.Table, n int, h uint64)
TEXT ·hasEachAVX512(SB), NOSPLIT, $512-32
	EACH_ARGS
	FIND(find)
	VMOVDQU32 ·salts+0(SB), ZSALTS
	VPBROADCASTD HI, ZPRODUCT
	ANDL $0xE0, HI
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT
	VPMOVD2M ZPRODUCT, HALF
	VPSRLD $26, ZPRODUCT, ZPRODUCT
	MOVL $1, AX
	VPBROADCASTD AX, ZONES
	VPROLVD ZPRODUCT, ZONES, ZBITS16
	LEAQ ·windows(SB), ROWS
	ADDQ HI, ROWS
	SHRL $4, HI
	LEAQ ·unused(SB), AX
	ADDQ AX, HI
	XORL AX, AX
	EACH(ONE, TWO, next, more)

// Adding. The whole line is one register. The product, twice, with its sign
// turned over in the lower half, makes the mask of the dwords that the key
// touches: those of the lower row where the sign is 0, of the upper where 1.

// SCATTER makes, of a product and of a row of ones and zeros, the key's bits in
// the whole line.
#define SCATTER(product, row) \
	VPXORD ZFLIP, product, ZLINE; \
	VPMOVD2M ZLINE, HALF; \
	VPSRLD $26, product, product; \
	VPROLVD.Z product, row, HALF, product

// ADD sets the bits of the key at at(HASHES), k <= 8.
#define ADD(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), ZPRODUCT; \
	WINDOW(at); \
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT; \
	VBROADCASTI32X8 (ROWS)(ROW*1), ZBITS; \
	SCATTER(ZPRODUCT, ZBITS); \
	VPORD (DATA)(OFF*1), ZPRODUCT, ZPRODUCT; \
	VMOVDQU32 ZPRODUCT, (DATA)(OFF*1)

// ADD16 is ADD for k > 8. The truth table 0xFE is the or of three.
#define ADD16(at) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), ZPRODUCT2; \
	WINDOW(at); \
	VPMULLD ZSALTS, ZPRODUCT2, ZPRODUCT; \
	VPMULLD ZSALTS2, ZPRODUCT2, ZPRODUCT2; \
	VBROADCASTI32X8 (ROWS)(ROW*1), ZBITS; \
	SCATTER(ZPRODUCT, ZONES); \
	SCATTER(ZPRODUCT2, ZBITS); \
	VPTERNLOGD $0xFE, (DATA)(OFF*1), ZPRODUCT2, ZPRODUCT; \
	VMOVDQU32 ZPRODUCT, (DATA)(OFF*1)

// SETUP_ADD loads the constants of ADD.
#define SETUP_ADD \
	LEAQ ·windows(SB), ROWS; \
	VBROADCASTI32X8 (8*256)(ROWS), ZONES; \
	SHLQ $8, K; \
	ADDQ K, ROWS; \
	VPSLLD $31, ZONES, ZFLIP; \
	VPXORD Z3, Z3, Z3; \
	VINSERTI32X8 $1, Y3, ZFLIP, ZFLIP; \
	VBROADCASTI32X8 ·salts+0(SB), ZSALTS

// SETUP_ADD16 loads those of ADD16.
#define SETUP_ADD16 \
	SUBQ $8, K; \
	SETUP_ADD; \
	VBROADCASTI32X8 ·salts+32(SB), ZSALTS2

// func addBatchAVX512(t generic.Table, hashes *uint64, n int)
TEXT ·addBatchAVX512(SB), NOSPLIT, $0-48
	ADD_ARGS
	CMPQ K, $8
	JGT  two
	SETUP_ADD
	ADDS(ADD, one)

two:
	SETUP_ADD16
	ADDS(ADD16, one16)

// func addAheadAVX512(t generic.Table, hashes *uint64, n int)
TEXT ·addAheadAVX512(SB), NOSPLIT, $0-48
	ADD_ARGS
	CMPQ K, $8
	JGT  two
	SETUP_ADD
	ADDS_AHEAD(ADD, one)

two:
	SETUP_ADD16
	ADDS_AHEAD(ADD16, one16)

// Adding to a shared table: the bits that the line lacks, word by word, and an
// atomic operation for each word that lacks some. The bits go through memory in
// halves, since a load from the upper half of a 64-byte store is not forwarded.

#define SCRATCH R9
#define LACK    K2
#define ADDR    DX

// SET_MISSING sets in the line at ADDR what it lacks of ZPRODUCT. set and none are
// labels.
#define SET_MISSING(set, none) \
	VMOVDQU64 (ADDR), ZLINE; \
	VPANDNQ ZPRODUCT, ZLINE, ZLINE; \
	VPTESTMQ ZLINE, ZLINE, LACK; \
	KMOVB LACK, COUNT; \
	TESTL COUNT, COUNT; \
	JEQ none; \
	VMOVDQU PRODUCT, (SCRATCH); \
	VEXTRACTI64X4 $1, ZPRODUCT, 32(SCRATCH); \
set: \
	TZCNTL COUNT, CX; \
	MOVQ (SCRATCH)(CX*8), AX; \
	LOCK; \
	ORQ AX, (ADDR)(CX*8); \
	BLSRL COUNT, COUNT; \
	JNZ set; \
none:

// SHARE adds the key at at(HASHES) to a shared table, k <= 8.
#define SHARE(at, set, none) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), ZPRODUCT; \
	LEAQ (DATA)(OFF*1), ADDR; \
	WINDOW(at); \
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT; \
	VBROADCASTI32X8 (ROWS)(ROW*1), ZBITS; \
	SCATTER(ZPRODUCT, ZBITS); \
	SET_MISSING(set, none)

// SHARE16 is SHARE for k > 8.
#define SHARE16(at, set, none) \
	OFFSET(at); \
	VPBROADCASTD 4+at(HASHES), ZPRODUCT2; \
	LEAQ (DATA)(OFF*1), ADDR; \
	WINDOW(at); \
	VPMULLD ZSALTS, ZPRODUCT2, ZPRODUCT; \
	VPMULLD ZSALTS2, ZPRODUCT2, ZPRODUCT2; \
	VBROADCASTI32X8 (ROWS)(ROW*1), ZBITS; \
	SCATTER(ZPRODUCT, ZONES); \
	SCATTER(ZPRODUCT2, ZBITS); \
	VPORD ZPRODUCT2, ZPRODUCT, ZPRODUCT; \
	SET_MISSING(set, none)

#define SHARES(ahead, share, one, set, none) \
one: \
	ahead; \
	share(0, set, none); \
	ADDQ $8, HASHES; \
	DECQ LEFT; \
	JNZ one; \
	VZEROUPPER; \
	RET

#define NOTHING
#define AHEAD_ONE AHEAD(0)

// func addSharedBatchAVX512(t generic.Table, hashes *uint64, n int)
TEXT ·addSharedBatchAVX512(SB), NOSPLIT, $64-48
	ADD_ARGS
	LEAQ scratch-64(SP), SCRATCH
	CMPQ K, $8
	JGT  two
	SETUP_ADD
	SHARES(NOTHING, SHARE, one, set, none)

two:
	SETUP_ADD16
	SHARES(NOTHING, SHARE16, one16, set16, none16)

// func addSharedAheadAVX512(t generic.Table, hashes *uint64, n int)
TEXT ·addSharedAheadAVX512(SB), NOSPLIT, $64-48
	ADD_ARGS
	LEAQ scratch-64(SP), SCRATCH
	CMPQ K, $8
	JGT  two
	SETUP_ADD
	SHARES(AHEAD_ONE, SHARE, one, set, none)

two:
	SETUP_ADD16
	SHARES(AHEAD_ONE, SHARE16, one16, set16, none16)

// Hashing: generic.HashUint64 for eight keys in a vector of 64-bit lanes, which
// here can be rotated and multiplied. The truth table 0x96 is the xor of three.

#define X      Z0
#define T      Z1
#define U      Z2
#define FLIP   Z8
#define EIGHT  Z9
#define FACTOR Z10 // rrmxmx of generic/hash.go

// func hashBatchAVX512(dst *uint64, flip uint64, keys *uint64, n int)
TEXT ·hashBatchAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DX
	VPBROADCASTQ flip+8(FP), FLIP
	MOVQ keys+16(FP), SI
	MOVQ n+24(FP), BX
	MOVQ $0x9FB21C651E98DF25, AX
	VPBROADCASTQ AX, FACTOR
	MOVL $8, AX
	VPBROADCASTQ AX, EIGHT

	PCALIGN $32
eight:
	VPROLQ $32, (SI), X
	VPXORQ FLIP, X, X
	VPROLQ $49, X, T
	VPROLQ $24, X, U
	VPTERNLOGQ $0x96, T, U, X
	VPMULLQ FACTOR, X, X
	VPSRLQ $35, X, T
	VPADDQ EIGHT, T, T
	VPXORQ T, X, X
	VPMULLQ FACTOR, X, X
	VPSRLQ $28, X, T
	VPXORQ T, X, X
	VMOVDQU64 X, (DX)
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $8, BX
	JNZ eight
	VZEROUPPER
	RET
