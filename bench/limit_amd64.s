#include "go_asm.h"
#include "textflag.h"

#define DATA   DI
#define LINES  R8  // in DATA
#define HASHES SI
#define LEFT   BX  // hashes not yet done
#define SUM    AX
#define OFF    CX  // a line, in bytes from DATA

// LINE: the line of the hash at at(HASHES), by its low half.
#define LINE(at) \
	MOVL at(HASHES), OFF; \
	IMULQ LINES, OFF; \
	SHRQ $32, OFF; \
	SHLQ $6, OFF

#define TOUCH(at) \
	LINE(at); \
	ADDQ (DATA)(OFF*1), SUM

// T1 and not T0: the lines come into L2 and leave the dozen buffers of L1 misses
// to the loads, which halves the time on memory beyond the caches.
#define AHEAD(at) \
	LINE(const_limitAhead*8+at); \
	PREFETCHT1 (DATA)(OFF*1)

// func touchLines(data []byte, hashes []uint64) uint64
TEXT ·touchLines(SB), NOSPLIT, $0-56
	MOVQ data_base+0(FP), DATA
	MOVQ data_len+8(FP), LINES
	MOVQ hashes_base+24(FP), HASHES
	MOVQ hashes_len+32(FP), LEFT
	SHRQ $6, LINES
	XORL SUM, SUM
	SUBQ $4, LEFT
	JLT tail

four:
	TOUCH(0)
	TOUCH(8)
	TOUCH(16)
	TOUCH(24)
	ADDQ $32, HASHES
	SUBQ $4, LEFT
	JGE four

tail:
	ADDQ $4, LEFT
	JEQ done

one:
	TOUCH(0)
	ADDQ $8, HASHES
	DECQ LEFT
	JNZ one

done:
	MOVQ SUM, ret+48(FP)
	RET

// func touchLinesAhead(data []byte, hashes []uint64) uint64
TEXT ·touchLinesAhead(SB), NOSPLIT, $0-56
	MOVQ data_base+0(FP), DATA
	MOVQ data_len+8(FP), LINES
	MOVQ hashes_base+24(FP), HASHES
	MOVQ hashes_len+32(FP), LEFT
	SHRQ $6, LINES
	XORL SUM, SUM
	SUBQ $const_limitAhead, LEFT
	SUBQ $4, LEFT
	JLT tail

four:
	AHEAD(0)
	TOUCH(0)
	AHEAD(8)
	TOUCH(8)
	AHEAD(16)
	TOUCH(16)
	AHEAD(24)
	TOUCH(24)
	ADDQ $32, HASHES
	SUBQ $4, LEFT
	JGE four

tail:
	ADDQ $4, LEFT
	JEQ done

one:
	AHEAD(0)
	TOUCH(0)
	ADDQ $8, HASHES
	DECQ LEFT
	JNZ one

done:
	MOVQ SUM, ret+48(FP)
	RET
