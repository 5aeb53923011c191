package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// withInput calls f with a reader of the named file, of which "-" is the standard
// input, decompressed unless it is to be taken as it is. It returns its errors and
// that of f.
func withInput(ctx context.Context, std streams, name string, plain bool, f func(io.Reader) error) error {
	if name == "-" {
		return withPlainInput(stoppable{ctx, std.in}, name, plain, f)
	}
	// Opening waits too, for the writer of a named pipe.
	file, err := wait(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return err
	}
	defer file.Close()
	return withPlainInput(stoppable{ctx, file}, name, plain, f)
}

func withPlainInput(r io.Reader, name string, plain bool, f func(io.Reader) error) error {
	if plain {
		return f(r)
	}
	r, finish, err := decompress(r, name)
	if err != nil {
		return err
	}
	defer finish()
	return f(r)
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
