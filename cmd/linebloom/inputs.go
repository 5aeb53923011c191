package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// eachInput calls f with a reader of each of the named files, of which "-" is
// the standard input, or of the standard input alone if there are no names. It
// goes on after an error of a file, telling complain, and stops when f returns
// false or the context ends.
func eachInput(ctx context.Context, std streams, names []string, complain func(error), f func(io.Reader) (more bool, err error)) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		more, err := withInput(ctx, std, name, f)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			complain(err)
		}
		if !more {
			return
		}
	}
}

func withInput(ctx context.Context, std streams, name string, f func(io.Reader) (bool, error)) (more bool, err error) {
	if name == "-" {
		return f(stoppable{ctx, std.in})
	}
	// Opening waits too, for the writer of a named pipe.
	file, err := wait(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return true, err
	}
	defer file.Close()
	return f(stoppable{ctx, file})
}

// notAnInput refuses a filter file that is one of the inputs too.
func notAnInput(path string, inputs []string) error {
	filter, err := os.Stat(path)
	if err != nil {
		return nil // whoever opens it says more
	}
	for _, name := range inputs {
		if input, err := os.Stat(name); name != "-" && err == nil && os.SameFile(filter, input) {
			return fmt.Errorf("%s is the filter and an input too; name another file for one of them", name)
		}
	}
	return nil
}
