#include "go_asm.h"
#include "textflag.h"

#define DATA   R0
#define LINES  R1 // in DATA
#define HASHES R2
#define LEFT   R3 // hashes not yet done
#define SUM    R4
#define OFF    R5 // a line, in bytes from DATA
#define WORD8  R6
#define FUTURE R7 // the hash that is prefetched

// LINE: the line of a hash, by its low half.
#define LINE(hash) \
	MOVWU hash, OFF; \
	MUL LINES, OFF, OFF; \
	LSR $32, OFF, OFF; \
	ADD OFF<<6, DATA, OFF

#define TOUCH \
	LINE((HASHES)); \
	MOVD (OFF), WORD8; \
	ADD WORD8, SUM, SUM; \
	ADD $8, HASHES, HASHES

// func touchLines(data []byte, hashes []uint64) uint64
TEXT ·touchLines(SB), NOSPLIT, $0-56
	MOVD data_base+0(FP), DATA
	MOVD data_len+8(FP), LINES
	MOVD hashes_base+24(FP), HASHES
	MOVD hashes_len+32(FP), LEFT
	LSR $6, LINES, LINES
	MOVD $0, SUM
	CBZ LEFT, done

one:
	TOUCH
	SUB $1, LEFT, LEFT
	CBNZ LEFT, one

done:
	MOVD SUM, ret+48(FP)
	RET

// func touchLinesAhead(data []byte, hashes []uint64) uint64
TEXT ·touchLinesAhead(SB), NOSPLIT, $0-56
	MOVD data_base+0(FP), DATA
	MOVD data_len+8(FP), LINES
	MOVD hashes_base+24(FP), HASHES
	MOVD hashes_len+32(FP), LEFT
	LSR $6, LINES, LINES
	MOVD $0, SUM
	SUB $const_limitAhead, LEFT, LEFT
	ADD $(const_limitAhead*8), HASHES, FUTURE

one:
	LINE((FUTURE))
	ADD $8, FUTURE, FUTURE
	PRFM (OFF), PLDL2KEEP
	TOUCH
	SUB $1, LEFT, LEFT
	CBNZ LEFT, one

done:
	MOVD SUM, ret+48(FP)
	RET
