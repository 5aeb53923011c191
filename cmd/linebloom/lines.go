package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// A lineReader splits a stream into lines of any length, a batch at a time. It
// copies nothing: the lines are slices of its buffer.
type lineReader struct {
	r          io.Reader
	newline    byte // what ends a line
	buf        []byte
	start, end int  // buf[start:end] is read and not yet returned
	unended    bool // the last line had no newline
	err        error
}

// lineBuffer is what one read asks for. It fits in the second-level cache
// together with the hashes of its lines.
const lineBuffer = 256 << 10

// largestSpare is the largest buffer that is used again, after a long line.
const largestSpare = 4 * lineBuffer

// maxBatch is the most lines of a batch. What is kept for a line of a few bytes is
// larger than the line.
const maxBatch = 8 << 10

func newLineReader(r io.Reader, newline byte) *lineReader {
	return &lineReader{r: r, newline: newline, buf: make([]byte, lineBuffer)}
}

// next returns the lines that the next read completes, or the first of them if they
// are many, without their newlines, in the memory of batch. They are valid until the next call. It waits for one
// line and not for more, so that a slow stream is answered as it comes. The last
// line may lack its newline. At the end of the stream, or on an error of it, it
// returns no lines and the error, io.EOF for the end.
func (l *lineReader) next(batch [][]byte) ([][]byte, error) {
	batch = batch[:0]
	searched := 0 // bytes of the first line that hold no newline
	for {
		for {
			i := bytes.IndexByte(l.buf[l.start+searched:l.end], l.newline)
			if i < 0 {
				break
			}
			i += searched
			batch = append(batch, l.buf[l.start:l.start+i])
			l.start += i + 1
			searched = 0
			if len(batch) == maxBatch {
				break
			}
		}
		if len(batch) > 0 {
			return batch, nil
		}
		if l.err != nil {
			if l.start < l.end && l.err == io.EOF {
				batch = append(batch, l.buf[l.start:l.end])
				l.start = l.end
				l.unended = true
				return batch, nil
			}
			return batch, l.err
		}
		searched = l.end - l.start
		l.fill()
	}
}

// handOver gives away the buffer of the lines that next has returned, which stay
// valid, and goes on with spare or, if that is too small, with a new one.
func (l *lineReader) handOver(spare []byte) (used []byte) {
	rest := l.buf[l.start:l.end]
	if need := len(rest) + lineBuffer/2; len(spare) < need || len(spare) > largestSpare {
		spare = make([]byte, max(need, lineBuffer))
	}
	used = l.buf
	l.start, l.end, l.buf = 0, copy(spare, rest), spare
	return used
}

// fill reads once, behind what is left, with room for at least half a buffer.
func (l *lineReader) fill() {
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if len(l.buf)-l.end < lineBuffer/2 {
		if uint64(len(l.buf)) >= longestLine() {
			l.err = fmt.Errorf("%w: %s bytes without an end", errLongLine, thousands(l.end))
			return
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	l.err = err
}

var errLongLine = errors.New("a line is too long for the memory of this machine")

// longestLine returns the size from which the buffer does not grow any more, since
// an allocation that fails would end the program.
var longestLine = sync.OnceValue(func() uint64 {
	limit := uint64(math.MaxInt / 8)
	if most := machineMemory(); most > 0 {
		limit = min(limit, most/2)
	}
	return limit
})
