package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// A lineFormat says how the bytes of INPUTs become lines, and lines keys. Every
// command that has INPUTs has its flags.
type lineFormat struct {
	nul   bool   // lines end with NUL and not with a newline
	crlf  bool   // a carriage return before the newline is no part of the key
	plain bool   // compressed inputs are lines too
	field int    // which field is the key, from 1; 0: the whole line
	delim string // between fields

	marked bool // lines begin with a mark, see spool
}

func (lf *lineFormat) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVarP(&lf.field, "field", "f", 0, "the key is the `N`-th field of a line, not the line")
	flags.StringVarP(&lf.delim, "delimiter", "t", "\t", "`TEXT` between fields")
	flags.Lookup("delimiter").DefValue = "TAB"
	flags.BoolVarP(&lf.nul, "null", "0", false, "lines end with NUL, not with a newline")
	flags.BoolVar(&lf.crlf, "crlf", false, "a carriage return before a newline is not of the key")
	flags.BoolVar(&lf.plain, "plain", false, "do not decompress inputs")
}

// check refuses what does not fit together.
func (lf *lineFormat) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("field") && lf.field < 1:
		return fmt.Errorf("--field is %d, want 1 for the first or more", lf.field)
	case changed("delimiter") && !changed("field"):
		return errors.New("--delimiter is for --field; say which field is the key")
	case lf.delim == "":
		return errors.New("--delimiter is empty; name what is between fields")
	case lf.nul && lf.crlf:
		return errors.New("--crlf is for lines that end with a newline, not for --null")
	case lf.delim == `\t`:
		lf.delim = "\t"
	}
	return nil
}

// wholeLines returns the format of files of keys, whose lines have no fields.
func (lf *lineFormat) wholeLines() *lineFormat {
	keys := *lf
	keys.field = 0
	return &keys
}

// end returns what ends a line.
func (lf *lineFormat) end() byte {
	if lf.nul {
		return 0
	}
	return '\n'
}

// keys returns the keys of lines, in the memory of keys if they are not the lines
// themselves.
func (lf *lineFormat) keys(keys, lines [][]byte) [][]byte {
	if lf.keysAreLines() {
		return lines
	}
	keys = keys[:0]
	for _, line := range lines {
		keys = append(keys, lf.key(line))
	}
	return keys
}

func (lf *lineFormat) keysAreLines() bool {
	return lf.field == 0 && !lf.crlf && !lf.marked
}

// key returns the key of a line: it, or its field, which is empty if it has not
// got so many.
func (lf *lineFormat) key(line []byte) []byte {
	if lf.marked {
		line = line[1:]
	}
	if lf.crlf {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	if lf.field == 0 {
		return line
	}
	for range lf.field - 1 {
		_, rest, found := bytes.Cut(line, []byte(lf.delim))
		if !found {
			return nil
		}
		line = rest
	}
	field, _, _ := bytes.Cut(line, []byte(lf.delim))
	return field
}

// A batchFunc gets lines and their keys, which are valid until it returns. Its
// error ends the reading of all inputs.
type batchFunc func(lines, keys [][]byte) error

// readEach calls f with the lines of all of the named files, of which "-" is the
// standard input, or of the standard input alone if there are no names. It goes
// on after an error of a file, telling complain. It returns the error of f, and
// stops silently when the context ends.
func (lf *lineFormat) readEach(ctx context.Context, std streams, names []string, complain func(error), f batchFunc) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		bad, err := lf.read(ctx, std, name, f)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if bad != nil {
			complain(bad)
		}
	}
	return nil
}

// read calls f with the lines of one input. It returns the error of the input,
// and that of f.
func (lf *lineFormat) read(ctx context.Context, std streams, name string, f batchFunc) (input, called error) {
	input = withInput(ctx, std, name, lf.plain, func(r io.Reader) error {
		var batch, keys [][]byte
		lines := newLineReader(r, lf.end())
		for {
			var err error
			if batch, err = lines.next(batch); err != nil {
				return notEOF(err)
			}
			keys = lf.keys(keys, batch)
			if called = f(batch, keys); called != nil {
				return nil
			}
		}
	})
	return input, called
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
