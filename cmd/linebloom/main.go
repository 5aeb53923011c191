// Linebloom asks streams of lines whether they may be in a set, and shows what
// the library of the same name does on the machine it runs on.
package main

import (
	"io"
	"os"
)

// Exit codes, as those of grep.
const (
	exitSome    = 0 // lines were selected; or all is well
	exitNone    = 1 // no line was selected; or a check failed
	exitTrouble = 2 // bad usage, or something could not be read or written
)

// streams are the standard streams of the command.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

func main() {
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}
