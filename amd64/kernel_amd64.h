// What the AVX2 and the AVX-512 kernels share: register names, addresses of
// blocks, and the loops that gather answers into words.

#define DST     DX
#define DATA    DI
#define BLOCKS  R8
#define HASHES  SI  // the hash that the loop is at
#define LEFT    BX  // keys not yet done
#define K       R10 // then the number of lanes in the (last) window
#define ROWS    R11 // windows[m], eight rows of 32 bytes
#define COUNT   R12
#define DONE    R13 // keys in the word that is being filled
#define ANSWERS R9
#define OFF     CX  // the block, in bytes from DATA
#define ROW     AX  // the window's row, in bytes from ROWS
#define TEMP    AX
#define MASK    CX

// The hashes between the one that a kernel works on and the one whose block it
// prefetches, in bytes. const_lookahead is the Go constant.
#define LOOKAHEAD const_lookahead*8

// OFFSET: the block of the hash at at(HASHES).
#define OFFSET(at) \
	MOVL at(HASHES), OFF; \
	IMULQ BLOCKS, OFF; \
	SHRQ $32, OFF; \
	SHLQ $6, OFF

#define AHEAD(at) \
	OFFSET(LOOKAHEAD+at); \
	PREFETCHT1 (DATA)(OFF*1)

// WINDOW: where a row of ROWS belongs to the hash at at(HASHES). Bits 5 to 7 of
// hi are the start s, and a row has 32 bytes.
#define WINDOW(at) \
	MOVBLZX 4+at(HASHES), ROW; \
	ANDL $0xE0, ROW

// The answers of a word are collected by ADCQ ANSWERS, ANSWERS, which shifts
// the carry in from below: one micro-op, where the RCRQ that would shift it in
// from above is three. The word then has its first key at the top, and is
// mirrored once per 64 keys. Going through the hashes backwards instead would
// defeat the hardware prefetcher: two to four times slower.
#define ANSWER ADCQ ANSWERS, ANSWERS

#define FOUR(test) \
	test(0); \
	ANSWER; \
	test(8); \
	ANSWER; \
	test(16); \
	ANSWER; \
	test(24); \
	ANSWER; \
	ADDQ $32, HASHES

#define FOUR_AHEAD(test) \
	AHEAD(0); \
	test(0); \
	ANSWER; \
	AHEAD(8); \
	test(8); \
	ANSWER; \
	AHEAD(16); \
	test(16); \
	ANSWER; \
	AHEAD(24); \
	test(24); \
	ANSWER; \
	ADDQ $32, HASHES

// SWAP exchanges neighbouring groups of bits of ANSWERS: one step of mirroring
// a word (Hacker's Delight, section 7-1).
#define SWAP(mask, shift) \
	MOVQ $mask, MASK; \
	MOVQ ANSWERS, TEMP; \
	SHRQ $shift, TEMP; \
	ANDQ MASK, TEMP; \
	ANDQ MASK, ANSWERS; \
	SHLQ $shift, ANSWERS; \
	ORQ TEMP, ANSWERS

// STORE writes the answers of DONE keys: mirrored, and with the first key at
// bit 0, which for fewer than 64 keys takes a shift.
#define STORE \
	BSWAPQ ANSWERS; \
	SWAP(0x0F0F0F0F0F0F0F0F, 4); \
	SWAP(0x3333333333333333, 2); \
	SWAP(0x5555555555555555, 1); \
	MOVL $64, CX; \
	SUBQ DONE, CX; \
	SHRQ CX, ANSWERS; \
	MOVQ ANSWERS, (DST); \
	ADDQ $8, DST

// BEGIN starts a word: DONE keys of those LEFT, COUNT times four and the rest.
#define BEGIN \
	XORL ANSWERS, ANSWERS; \
	MOVL $64, DONE; \
	CMPQ LEFT, DONE; \
	CMOVQLT LEFT, DONE; \
	SUBQ DONE, LEFT; \
	MOVQ DONE, COUNT; \
	SHRQ $2, COUNT

// WORDS does all LEFT keys with test. The other arguments are labels.
#define WORDS(test, word, four, rest, one, store) \
word: \
	BEGIN; \
	JEQ rest; \
	PCALIGN $32; \
four: \
	FOUR(test); \
	DECQ COUNT; \
	JNZ four; \
rest: \
	MOVQ DONE, COUNT; \
	ANDQ $3, COUNT; \
	JEQ store; \
one: \
	test(0); \
	ANSWER; \
	ADDQ $8, HASHES; \
	DECQ COUNT; \
	JNZ one; \
store: \
	STORE; \
	TESTQ LEFT, LEFT; \
	JNZ word; \
	VZEROUPPER; \
	RET

// WORDS_AHEAD is WORDS with prefetching. LEFT is a multiple of 64.
#define WORDS_AHEAD(test, word, four) \
word: \
	BEGIN; \
	PCALIGN $32; \
four: \
	FOUR_AHEAD(test); \
	DECQ COUNT; \
	JNZ four; \
	STORE; \
	TESTQ LEFT, LEFT; \
	JNZ word; \
	VZEROUPPER; \
	RET

// ADDS does all LEFT keys with add. one is a label.
#define ADDS(add, one) \
	PCALIGN $32; \
one: \
	add(0); \
	ADDQ $8, HASHES; \
	DECQ LEFT; \
	JNZ one; \
	VZEROUPPER; \
	RET

// ADDS_AHEAD is ADDS with prefetching.
#define ADDS_AHEAD(add, one) \
	PCALIGN $32; \
one: \
	AHEAD(0); \
	add(0); \
	ADDQ $8, HASHES; \
	DECQ LEFT; \
	JNZ one; \
	VZEROUPPER; \
	RET

// The arguments of the kernels, in the order of their Go declarations.
#define HAS_ARGS \
	MOVQ dst+0(FP), DST; \
	MOVQ t_base+8(FP), DATA; \
	MOVQ t_blocks+16(FP), BLOCKS; \
	MOVL t_probes_k+24(FP), K; \
	MOVQ hashes+40(FP), HASHES; \
	MOVQ n+48(FP), LEFT

#define ADD_ARGS \
	MOVQ t_base+0(FP), DATA; \
	MOVQ t_blocks+8(FP), BLOCKS; \
	MOVL t_probes_k+16(FP), K; \
	MOVQ hashes+32(FP), HASHES; \
	MOVQ n+40(FP), LEFT

#define ONE_ARGS \
	MOVQ t_base+0(FP), DATA; \
	MOVQ t_blocks+8(FP), BLOCKS; \
	MOVL t_probes_k+16(FP), K; \
	LEAQ h+32(FP), HASHES

// One key in many tables. FIND puts the addresses of the key's block in each of
// them at the top of the frame, and asks for all lines before the first is
// tested. The tests then go from the last table to the first, so that ADCQ
// leaves the answer of table i in bit i.

#define TABLES  SI // the table that the loop is at
#define BLOCK   CX // address of the block
#define HI      BX // then the window's row, in bytes from windows[k]
#define LO      R8

#define EACH_ARGS \
	MOVQ dst+0(FP), DST; \
	MOVQ tables+8(FP), TABLES; \
	MOVQ n+16(FP), COUNT; \
	MOVL h_lo+24(FP), LO; \
	MOVL h_hi+28(FP), HI; \
	XORL DONE, DONE; \
	LEAQ addresses-512(SP), R9

#define FIND(find) \
find: \
	MOVL LO, BLOCK; \
	IMULQ const_tableBlocks(TABLES), BLOCK; \
	SHRQ $32, BLOCK; \
	SHLQ $6, BLOCK; \
	ADDQ const_tableBase(TABLES), BLOCK; \
	PREFETCHT0 (BLOCK); \
	MOVQ BLOCK, (R9)(DONE*8); \
	ADDQ $const_tableBytes, TABLES; \
	INCQ DONE; \
	CMPQ DONE, COUNT; \
	JLT find

// EACH does the tests that FIND prepared, with one and two for k <= 8 and k > 8,
// which find k*256 in K. The others are labels.
#define EACH(one, two, next, more) \
next: \
	SUBQ $const_tableBytes, TABLES; \
	MOVQ -8(R9)(DONE*8), BLOCK; \
	MOVL const_tableK(TABLES), K; \
	SHLQ $8, K; \
	CMPQ K, $(8*256); \
	JGT more; \
	one; \
	ADCQ AX, AX; \
	DECQ DONE; \
	JNZ next; \
	MOVQ AX, (DST); \
	VZEROUPPER; \
	RET; \
more: \
	two; \
	ADCQ AX, AX; \
	DECQ DONE; \
	JNZ next; \
	MOVQ AX, (DST); \
	VZEROUPPER; \
	RET
