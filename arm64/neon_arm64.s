//go:build !purego

// NEON kernels. The picture and the arithmetic of a block are in package
// generic. A round of a key, up to eight probes, is two vectors of four dwords:
//
//	PRODUCT = hi * salts                     MUL
//	HALF    = all ones where the sign is set VCMTST against the sign bit
//	LINE    = HALF ? upper : lower           VBSL, in the register of HALF
//	BIT     = (PRODUCT << 1) >> 27           five bits below the sign
//	BITS    = window(s) << BIT               USHL of a row of ones and zeros
//	miss    = BITS & ~LINE                   BIC; any bit left is a miss
//
// Above eight probes a second round goes over the same line with other salts.
// VUADDLV adds the misses up in 64 bits, where they cannot cancel out.
//
// The answers of a word are shifted in from above by EXTR, so that the first
// key of 64 ends up at bit 0.

#include "go_asm.h"
#include "textflag.h"

#define DST     R0
#define DATA    R1
#define BLOCKS  R2
#define HASHES  R3 // the hash that the loop is at
#define LEFT    R4 // keys not yet done
#define K       R5 // then the number of lanes in the (last) window
#define ROWS    R6 // windows[m], eight rows of 32 bytes
#define DONE    R7 // keys in the word that is being filled
#define COUNT   R8
#define ANSWERS R9
#define BLOCK   R10 // address of the key's block
#define ROW     R11
#define HI      R12
#define HIT     R13
#define TEMP    R14

// Vectors, by number, since the macros below take numbers.
// 0 1    product, then bit numbers     2 3  half, then line
// 4 5    bits, then misses             6..9 lower and upper row
// 10 11  product of the second round  12 13 its half and line
// 14 15  its bits
// 16 17  salts of the first round     18 19 of the second
// 20     ones in every dword          21    sign bits in every dword
// 22..25 bits by row, when adding

// Mnemonics that Go's assembler does not have, as the Arm Architecture
// Reference Manual encodes them. Operands in Go's order: the destination last.
// USHL shifts n left by m; BIC is n & ^m; UADDLP adds neighbouring dwords of n
// into 64-bit lanes; UMLAL adds the 64-bit products of the lower dwords of m
// and n.
#define MUL_S4(m, n, d)    WORD $(0x4EA09C00 | (m)<<16 | (n)<<5 | (d))
#define USHL_S4(m, n, d)   WORD $(0x6EA04400 | (m)<<16 | (n)<<5 | (d))
#define BIC_B16(m, n, d)   WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))
#define UADDLP_D2(n, d)    WORD $(0x6EA02800 | (n)<<5 | (d))
#define UMLAL_D2(m, n, d)  WORD $(0x2EA08000 | (m)<<16 | (n)<<5 | (d))

// ADDRESS: BLOCK is the block of the hash at at(HASHES).
#define ADDRESS(at) \
	MOVWU at(HASHES), BLOCK; \
	MUL BLOCKS, BLOCK, BLOCK; \
	LSR $32, BLOCK, BLOCK; \
	ADD BLOCK<<6, DATA, BLOCK

// const_lookahead is the Go constant.
#define AHEAD \
	ADDRESS((const_lookahead*8)); \
	PRFM (BLOCK), PLDL1KEEP

// WINDOW: ROW is the window's row, by bits 5 to 7 of HI.
#define WINDOW \
	UBFX $5, HI, $3, ROW; \
	ADD ROW<<5, ROWS, ROW

// KEY: the address, the window and hi in every dword of V1.
#define KEY \
	MOVWU 4(HASHES), HI; \
	ADDRESS(0); \
	WINDOW; \
	VDUP HI, V1.S4

// PRODUCTS of the first round, and of both.
#define PRODUCTS \
	MUL_S4(16, 1, 0); \
	MUL_S4(17, 1, 1)

#define PRODUCTS16 \
	MUL_S4(18, 1, 10); \
	MUL_S4(19, 1, 11); \
	PRODUCTS

// HALVES of the products p and q go to h and i.
#define HALVES(p, q, h, i) \
	VCMTST V21.S4, p.S4, h.S4; \
	VCMTST V21.S4, q.S4, i.S4

// LINES: h and i, until now the halves, become the lines.
#define LINES(h, i) \
	VBSL V6.B16, V8.B16, h.B16; \
	VBSL V7.B16, V9.B16, i.B16

// SHIFT: the products become the numbers of their bits.
#define SHIFT(p, q) \
	VSHL $1, p.S4, p.S4; \
	VSHL $1, q.S4, q.S4; \
	VUSHR $27, p.S4, p.S4; \
	VUSHR $27, q.S4, q.S4

#define LOAD_BLOCK VLD1 (BLOCK), [V6.S4, V7.S4, V8.S4, V9.S4]

// VERDICT: HIT is 1 if the misses in V4 and V5 are 0.
#define VERDICT \
	VORR V5.B16, V4.B16, V4.B16; \
	VUADDLV V4.S4, V4; \
	VMOV V4.D[0], HIT; \
	CMP $0, HIT; \
	CSET EQ, HIT

// TEST: HIT is 1 if all bits of the key at HASHES are set, k <= 8.
#define TEST \
	KEY; \
	LOAD_BLOCK; \
	PRODUCTS; \
	VLD1 (ROW), [V4.S4, V5.S4]; \
	HALVES(V0, V1, V2, V3); \
	LINES(V2, V3); \
	SHIFT(V0, V1); \
	USHL_S4(0, 4, 4); \
	USHL_S4(1, 5, 5); \
	BIC_B16(2, 4, 4); \
	BIC_B16(3, 5, 5); \
	VERDICT

// TEST16 is TEST for k > 8.
#define TEST16 \
	KEY; \
	LOAD_BLOCK; \
	PRODUCTS16; \
	VLD1 (ROW), [V14.S4, V15.S4]; \
	HALVES(V0, V1, V2, V3); \
	HALVES(V10, V11, V12, V13); \
	LINES(V2, V3); \
	LINES(V12, V13); \
	SHIFT(V0, V1); \
	SHIFT(V10, V11); \
	USHL_S4(0, 20, 4); \
	USHL_S4(1, 20, 5); \
	USHL_S4(10, 14, 14); \
	USHL_S4(11, 15, 15); \
	BIC_B16(2, 4, 4); \
	BIC_B16(3, 5, 5); \
	BIC_B16(12, 14, 14); \
	BIC_B16(13, 15, 15); \
	VORR V14.B16, V4.B16, V4.B16; \
	VORR V15.B16, V5.B16, V5.B16; \
	VERDICT

// MERGE sets in the rows the bits b and c, in the half that h and i tell.
#define MERGE(b, c, h, i, bn, cn, hn, in) \
	VAND h.B16, b.B16, V22.B16; \
	VAND i.B16, c.B16, V23.B16; \
	BIC_B16(hn, bn, 24); \
	BIC_B16(in, cn, 25); \
	VORR V24.B16, V6.B16, V6.B16; \
	VORR V25.B16, V7.B16, V7.B16; \
	VORR V22.B16, V8.B16, V8.B16; \
	VORR V23.B16, V9.B16, V9.B16

// ADD_KEY sets the bits of the key at HASHES, k <= 8. The rows are loaded,
// merged and stored key by key: two keys of a batch may share a block.
#define ADD_KEY \
	KEY; \
	LOAD_BLOCK; \
	PRODUCTS; \
	VLD1 (ROW), [V4.S4, V5.S4]; \
	HALVES(V0, V1, V2, V3); \
	SHIFT(V0, V1); \
	USHL_S4(0, 4, 4); \
	USHL_S4(1, 5, 5); \
	MERGE(V4, V5, V2, V3, 4, 5, 2, 3); \
	VST1 [V6.S4, V7.S4, V8.S4, V9.S4], (BLOCK)

// ADD_KEY16 is ADD_KEY for k > 8.
#define ADD_KEY16 \
	KEY; \
	LOAD_BLOCK; \
	PRODUCTS16; \
	VLD1 (ROW), [V14.S4, V15.S4]; \
	HALVES(V0, V1, V2, V3); \
	HALVES(V10, V11, V12, V13); \
	SHIFT(V0, V1); \
	SHIFT(V10, V11); \
	USHL_S4(0, 20, 4); \
	USHL_S4(1, 20, 5); \
	USHL_S4(10, 14, 14); \
	USHL_S4(11, 15, 15); \
	MERGE(V4, V5, V2, V3, 4, 5, 2, 3); \
	MERGE(V14, V15, V12, V13, 14, 15, 12, 13); \
	VST1 [V6.S4, V7.S4, V8.S4, V9.S4], (BLOCK)

// SETUP loads the constants, and the rows of a window of K lanes.
#define SETUP \
	MOVD $·salts(SB), TEMP; \
	VLD1 (TEMP), [V16.S4, V17.S4, V18.S4, V19.S4]; \
	MOVD $1, TEMP; \
	VDUP TEMP, V20.S4; \
	VSHL $31, V20.S4, V21.S4; \
	MOVD $·windows(SB), ROWS; \
	ADD K<<8, ROWS, ROWS

#define SETUP16 \
	SUB $8, K, K; \
	SETUP

// WORDS does all LEFT keys with test. The other arguments are labels.
#define WORDS(ahead, test, word, one) \
word: \
	MOVD $64, DONE; \
	CMP DONE, LEFT; \
	CSEL LT, LEFT, DONE, DONE; \
	SUB DONE, LEFT, LEFT; \
	MOVD DONE, COUNT; \
	MOVD $0, ANSWERS; \
one: \
	ahead; \
	test; \
	EXTR $1, ANSWERS, HIT, ANSWERS; \
	ADD $8, HASHES, HASHES; \
	SUBS $1, COUNT, COUNT; \
	BNE one; \
	MOVD $64, TEMP; \
	SUB DONE, TEMP, TEMP; \
	LSR TEMP, ANSWERS, ANSWERS; \
	MOVD.P ANSWERS, 8(DST); \
	CBNZ LEFT, word; \
	RET

// ADDS does all LEFT keys with add. one is a label.
#define ADDS(ahead, add, one) \
one: \
	ahead; \
	add; \
	ADD $8, HASHES, HASHES; \
	SUBS $1, LEFT, LEFT; \
	BNE one; \
	RET

// The arguments of the kernels, in the order of their Go declarations.
#define HAS_ARGS \
	MOVD dst+0(FP), DST; \
	MOVD t_base+8(FP), DATA; \
	MOVD t_blocks+16(FP), BLOCKS; \
	MOVWU t_probes_k+24(FP), K; \
	MOVD hashes+40(FP), HASHES; \
	MOVD n+48(FP), LEFT

#define ADD_ARGS \
	MOVD t_base+0(FP), DATA; \
	MOVD t_blocks+8(FP), BLOCKS; \
	MOVWU t_probes_k+16(FP), K; \
	MOVD hashes+32(FP), HASHES; \
	MOVD n+40(FP), LEFT

// func hasNEON(t generic.Table, h uint64) bool
TEXT ·hasNEON(SB), NOSPLIT, $0-41
	MOVD t_base+0(FP), DATA
	MOVD t_blocks+8(FP), BLOCKS
	MOVWU t_probes_k+16(FP), K
	MOVD $h+32(FP), HASHES
	CMP $8, K
	BGT two
	SETUP
	TEST
	MOVB HIT, ret+40(FP)
	RET

two:
	SETUP16
	TEST16
	MOVB HIT, ret+40(FP)
	RET

// func hasBatchNEON(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasBatchNEON(SB), NOSPLIT, $0-56
	HAS_ARGS
	CMP $8, K
	BGT two
	SETUP
	WORDS(NOOP, TEST, word, one)

two:
	SETUP16
	WORDS(NOOP, TEST16, word16, one16)

// func hasAheadNEON(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasAheadNEON(SB), NOSPLIT, $0-56
	HAS_ARGS
	CMP $8, K
	BGT two
	SETUP
	WORDS(AHEAD, TEST, word, one)

two:
	SETUP16
	WORDS(AHEAD, TEST16, word16, one16)

// func addBatchNEON(t generic.Table, hashes *uint64, n int)
TEXT ·addBatchNEON(SB), NOSPLIT, $0-48
	ADD_ARGS
	CMP $8, K
	BGT two
	SETUP
	ADDS(NOOP, ADD_KEY, one)

two:
	SETUP16
	ADDS(NOOP, ADD_KEY16, one16)

// func addAheadNEON(t generic.Table, hashes *uint64, n int)
TEXT ·addAheadNEON(SB), NOSPLIT, $0-48
	ADD_ARGS
	CMP $8, K
	BGT two
	SETUP
	ADDS(AHEAD, ADD_KEY, one)

two:
	SETUP16
	ADDS(AHEAD, ADD_KEY16, one16)

// func prefetchLines(t generic.Table, hashes *uint64, n int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-48
	MOVD t_base+0(FP), DATA
	MOVD t_blocks+8(FP), BLOCKS
	MOVD hashes+32(FP), HASHES
	MOVD n+40(FP), LEFT

next:
	ADDRESS(0)
	PRFM (BLOCK), PLDL1KEEP
	ADD $8, HASHES, HASHES
	SUBS $1, LEFT, LEFT
	BNE next
	RET

// Hashing: generic.HashUint64 for two keys in a vector. NEON has no 64-bit
// multiplication, so products of 32 bits make one:
//
//	x*m mod 2^64 = lo(x)*lo(m) + (hi(x)*lo(m) + lo(x)*hi(m)) << 32
//
// V0 is x; V1, V2 are temporary; V8 is the flip, V9 eight in each lane, V10
// rrmxmx of generic/hash.go, V11 the same with its halves exchanged, and V12
// its low half in every dword.

#define MULTIPLY \
	MUL_S4(11, 0, 1); \
	VUZP1 V0.S4, V0.S4, V2.S4; \
	UADDLP_D2(1, 1); \
	VSHL $32, V1.D2, V1.D2; \
	UMLAL_D2(12, 2, 1); \
	VMOV V1.B16, V0.B16

// func hashBatchNEON(dst *uint64, flip uint64, keys *uint64, n int)
TEXT ·hashBatchNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD flip+8(FP), TEMP
	VDUP TEMP, V8.D2
	MOVD keys+16(FP), R3
	MOVD n+24(FP), R4
	MOVD $8, TEMP
	VDUP TEMP, V9.D2
	MOVD $0x9FB21C651E98DF25, TEMP
	VDUP TEMP, V10.D2
	VREV64 V10.S4, V11.S4
	VUZP1 V10.S4, V10.S4, V12.S4 // its low half in every dword

two:
	VLD1.P 16(R3), [V0.D2]
	VREV64 V0.S4, V0.S4 // the halves of each key change places
	VEOR V8.B16, V0.B16, V0.B16
	VSHL $49, V0.D2, V1.D2
	VSRI $15, V0.D2, V1.D2 // x rotated left by 49
	VSHL $24, V0.D2, V2.D2
	VSRI $40, V0.D2, V2.D2 // x rotated left by 24
	VEOR V1.B16, V0.B16, V0.B16
	VEOR V2.B16, V0.B16, V0.B16
	MULTIPLY
	VUSHR $35, V0.D2, V1.D2
	VADD V9.D2, V1.D2, V1.D2
	VEOR V1.B16, V0.B16, V0.B16
	MULTIPLY
	VUSHR $28, V0.D2, V1.D2
	VEOR V1.B16, V0.B16, V0.B16
	VST1.P [V0.D2], 16(R0)
	SUBS $2, R4, R4
	BNE two
	RET
