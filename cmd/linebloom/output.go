package main

import (
	"fmt"
	"io"
)

// An output collects lines and writes them in one go.
type output struct {
	w    io.Writer
	what string // it is, for errors
	end  byte   // of a line
	buf  []byte
	open bool // the last line has no end yet
}

// add adds a line with its end. The last line of an input may lack it, and gets it
// if others follow. What is before the line is a part of it.
func (o *output) add(line []byte, before ...byte) {
	if o.open {
		o.buf = append(o.buf, o.end)
	}
	o.buf = append(append(o.buf, before...), line...)
	o.open = len(line) == 0 || line[len(line)-1] != o.end
}

// addBare adds a line that comes without its end.
func (o *output) addBare(line []byte) {
	o.buf = append(append(o.buf, line...), o.end)
}

// maxOutput is the most memory that is kept for lines to come.
const maxOutput = 4 << 20

func (o *output) flush() error {
	if len(o.buf) == 0 {
		return nil
	}
	_, err := o.w.Write(o.buf)
	if o.buf = o.buf[:0]; cap(o.buf) > maxOutput {
		o.buf = nil
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.what, err)
	}
	return nil
}
