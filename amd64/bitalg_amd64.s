//go:build !purego

// Batch tests for CPUs with AVX512_BITALG (Ice Lake, Zen 4 and later). One
// instruction of it, VPSHUFBITQMB, tests 64 chosen bits of a register at once:
// for each of eight 64-bit lanes, the eight bits of the lane that eight bytes
// name. A block becomes such lanes when its two rows are interleaved:
//
//	qword j = lower dword j | upper dword j << 32          VPERMD
//	bit     = product >> 26, row and bit in one number     VPSRLD
//
// so that the six bits of a probe are the number of its bit in qword j, without
// a blend and without a shift. Each qword of products has room for two: up to
// eight probes, for the products of two keys, above eight for both rounds of
// one. The masks of eight keys are stored and then judged together: a key is
// found if its mask and the bits that hold no probe are all ones.
//
// Per key, k <= 8, that is 1.5 micro-ops on port 0 of Intel's cores (VPMULLD is
// two, for two keys) and 2 on port 5; the AVX-512 kernel has more than 5 that
// only ports 0 and 1 or 0 and 6 can take.
//
// The offsets of eight blocks are made in a vector and reach the address
// registers through the stack. They are stored in halves: a load from the upper
// half of a 64-byte store is not forwarded but waits until the store has left
// for the cache (21 cycles instead of 8), which costs a batch half its speed and
// most of its parallel misses.

#include "go_asm.h"
#include "textflag.h"

#define DST    DX
#define FILTER DI
#define HASHES SI
#define LEFT   BX
#define GROUP  R8  // the hashes that the loop is at, eight of them
#define COUNT  R9  // groups
#define DONE   R10
#define MASKS  R11 // 64 masks of 8 bytes
#define OFFS   R12 // offsets of the blocks of a group, 8 of 8 bytes
#define PAIRS  R13 // its pairs of hi, 4 of 16 bytes, the first half of each
#define OFF    CX
#define OFF2   AX

#define ZPRODUCT Z1
#define ZBLOCK   Z2
#define ZBLOCK2  Z3
#define ZTEMP    Z4
#define YTEMP    Y4
#define ZBLOCKS  Z10 // the number of blocks in every qword
#define ZLINE    Z11 // clears the low six bits: multiples of a block
#define ZROWS    Z12 // 0 8 1 9 ... 7 15: interleaves the rows
#define ZSALTS   Z13
#define ZSPARE   Z14 // spare bits of even keys
#define ZSPARE2  Z15 // and of odd ones
#define ZSTART   Z16 // 7, which leaves the start of the window
#define ZODD     Z17 // 8 for odd keys, so that VPERMI2Q takes ZSPARE2
#define ZFULL    Z18

DATA rows<>+0x00(SB)/8, $0x0000000800000000
DATA rows<>+0x08(SB)/8, $0x0000000900000001
DATA rows<>+0x10(SB)/8, $0x0000000a00000002
DATA rows<>+0x18(SB)/8, $0x0000000b00000003
DATA rows<>+0x20(SB)/8, $0x0000000c00000004
DATA rows<>+0x28(SB)/8, $0x0000000d00000005
DATA rows<>+0x30(SB)/8, $0x0000000e00000006
DATA rows<>+0x38(SB)/8, $0x0000000f00000007
GLOBL rows<>(SB), RODATA|NOPTR, $64

DATA odd<>+0x00(SB)/8, $0
DATA odd<>+0x08(SB)/8, $8
DATA odd<>+0x10(SB)/8, $0
DATA odd<>+0x18(SB)/8, $8
DATA odd<>+0x20(SB)/8, $0
DATA odd<>+0x28(SB)/8, $8
DATA odd<>+0x30(SB)/8, $0
DATA odd<>+0x38(SB)/8, $8
GLOBL odd<>(SB), RODATA|NOPTR, $64

// SPILL stores ZTEMP in halves.
#define SPILL(to) \
	VMOVDQU YTEMP, (to); \
	VEXTRACTI64X4 $1, ZTEMP, 32(to)

// OFFSETS of the blocks of eight hashes at at(GROUP): the low halves times the
// number of blocks, the high half of that times 64.
#define OFFSETS(at) \
	VPMULUDQ at(GROUP), ZBLOCKS, ZTEMP; \
	VPSRLQ $26, ZTEMP, ZTEMP; \
	VPANDQ ZLINE, ZTEMP, ZTEMP; \
	SPILL(OFFS)

// PAIR: the masks of keys 2*p and 2*p+1 of the group.
#define PAIR(p) \
	MOVQ (16*p)(OFFS), OFF; \
	MOVQ (16*p+8)(OFFS), OFF2; \
	VPBROADCASTQ (16*p)(PAIRS), ZPRODUCT; \
	VPERMD (FILTER)(OFF*1), ZROWS, ZBLOCK; \
	VPERMD (FILTER)(OFF2*1), ZROWS, ZBLOCK2; \
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT; \
	VPSRLD $26, ZPRODUCT, ZPRODUCT; \
	VPSHUFBITQMB ZPRODUCT, ZBLOCK, K1; \
	VPSHUFBITQMB ZPRODUCT, ZBLOCK2, K2; \
	KMOVQ K1, (16*p)(MASKS); \
	KMOVQ K2, (16*p+8)(MASKS)

// KEYS: the masks of the eight hashes at GROUP, k <= 8. VPSHUFD leaves hi of two
// neighbours side by side.
#define KEYS \
	OFFSETS(0); \
	VPSHUFD $0xDD, (GROUP), ZTEMP; \
	SPILL(PAIRS); \
	PAIR(0); \
	PAIR(1); \
	PAIR(2); \
	PAIR(3)

// ONE: the mask of key i of the group, k > 8.
#define ONE(i) \
	MOVQ (8*i)(OFFS), OFF; \
	VPBROADCASTD (8*i+4)(GROUP), ZPRODUCT; \
	VPERMD (FILTER)(OFF*1), ZROWS, ZBLOCK; \
	VPMULLD ZSALTS, ZPRODUCT, ZPRODUCT; \
	VPSRLD $26, ZPRODUCT, ZPRODUCT; \
	VPSHUFBITQMB ZPRODUCT, ZBLOCK, K1; \
	KMOVQ K1, (8*i)(MASKS)

// KEYS16: the same for k > 8.
#define KEYS16 \
	OFFSETS(0); \
	ONE(0); \
	ONE(1); \
	ONE(2); \
	ONE(3); \
	ONE(4); \
	ONE(5); \
	ONE(6); \
	ONE(7)

#define NOTHING

#define FETCH(i) \
	MOVQ (8*i)(OFFS), OFF; \
	PREFETCHT1 (FILTER)(OFF*1)

// AHEAD prefetches the blocks of the eight hashes that are lookahead further.
#define AHEAD \
	OFFSETS((const_lookahead*8)); \
	FETCH(0); \
	FETCH(1); \
	FETCH(2); \
	FETCH(3); \
	FETCH(4); \
	FETCH(5); \
	FETCH(6); \
	FETCH(7)

// JUDGE: the answers of the eight hashes at GROUP from their masks, as a byte.
// The truth table 0xEA is (a and b) or c.
#define JUDGE \
	VPSRLQ $37, (GROUP), ZTEMP; \
	VPTERNLOGQ $0xEA, ZODD, ZSTART, ZTEMP; \
	VPERMI2Q ZSPARE2, ZSPARE, ZTEMP; \
	VPORQ (MASKS), ZTEMP, ZTEMP; \
	VPCMPEQQ ZFULL, ZTEMP, K1; \
	KMOVB K1, (DST)

// LOOP does all LEFT keys, a word of answers at a time: first the masks, then
// the judgements, because a wide load from several narrow stores waits until
// they have left the store buffer. The last three arguments are labels.
#define LOOP(ahead, keys, word, group, judge) \
word: \
	MOVL $64, DONE; \
	CMPQ LEFT, DONE; \
	CMOVQLT LEFT, DONE; \
	SUBQ DONE, LEFT; \
	SHRQ $3, DONE; \
	MOVQ DONE, COUNT; \
	MOVQ HASHES, GROUP; \
group: \
	ahead; \
	keys; \
	ADDQ $64, GROUP; \
	ADDQ $64, MASKS; \
	DECQ COUNT; \
	JNZ group; \
	MOVQ DONE, COUNT; \
	SHLQ $6, DONE; \
	SUBQ DONE, MASKS; \
	MOVQ HASHES, GROUP; \
	ADDQ DONE, HASHES; \
judge: \
	JUDGE; \
	ADDQ $64, GROUP; \
	ADDQ $64, MASKS; \
	INCQ DST; \
	DECQ COUNT; \
	JNZ judge; \
	SUBQ DONE, MASKS; \
	TESTQ LEFT, LEFT; \
	JNZ word; \
	VZEROUPPER; \
	RET

// SETUP loads arguments and constants. The scratch memory is aligned to lines,
// for which the frame has room.
#define SETUP \
	MOVQ dst+0(FP), DST; \
	MOVQ t_base+8(FP), FILTER; \
	MOVQ t_blocks+16(FP), CX; \
	MOVL t_probes_k+24(FP), AX; \
	MOVQ hashes+40(FP), HASHES; \
	MOVQ n+48(FP), LEFT; \
	LEAQ scratch-704(SP), OFFS; \
	ADDQ $63, OFFS; \
	ANDQ $-64, OFFS; \
	LEAQ 64(OFFS), PAIRS; \
	LEAQ 128(OFFS), MASKS; \
	VPBROADCASTQ CX, ZBLOCKS; \
	VPTERNLOGQ $0xFF, ZFULL, ZFULL, ZFULL; \
	VPSLLQ $6, ZFULL, ZLINE; \
	VPSRLQ $61, ZFULL, ZSTART; \
	VMOVDQU64 rows<>(SB), ZROWS; \
	VMOVDQU64 odd<>(SB), ZODD; \
	VPERMD ·salts(SB), ZROWS, ZSALTS; \
	MOVQ AX, R8; \
	SHLQ $7, R8; \
	LEAQ ·spare(SB), R9; \
	VMOVDQU64 (R9)(R8*1), ZSPARE; \
	VMOVDQU64 64(R9)(R8*1), ZSPARE2

// SETUP8 gives both halves of each qword of salts the salt of the first round.
#define SETUP8 \
	VPSLLQ $32, ZSALTS, ZTEMP; \
	VPSRLQ $32, ZTEMP, ZSALTS; \
	VPORQ ZTEMP, ZSALTS, ZSALTS

// func hasBatchBITALG(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasBatchBITALG(SB), NOSPLIT, $704-56
	SETUP
	CMPQ AX, $8
	JGT two
	SETUP8
	LOOP(NOTHING, KEYS, word, group, judge)

two:
	LOOP(NOTHING, KEYS16, word16, group16, judge16)

// func hasAheadBITALG(dst *uint64, t generic.Table, hashes *uint64, n int)
TEXT ·hasAheadBITALG(SB), NOSPLIT, $704-56
	SETUP
	CMPQ AX, $8
	JGT two
	SETUP8
	LOOP(AHEAD, KEYS, word, group, judge)

two:
	LOOP(AHEAD, KEYS16, word16, group16, judge16)
