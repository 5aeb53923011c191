// Linebloom asks streams of lines whether they may be in a set, keeps such sets
// in filter files, and shows what the library of the same name does on the
// machine it runs on.
package main

import (
	"io"
	"os"
)

// Exit codes, as those of grep. A command that a signal stops, and that has
// something to tidy up, exits with 128 and the signal's number, as shells say.
const (
	exitSome    = 0 // lines were selected; or all is well
	exitNone    = 1 // no line was selected; or a check failed, a file is damaged
	exitTrouble = 2 // bad usage, or something could not be read or written

	exitPipe = 128 + 13 // as of a command that SIGPIPE ends
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
