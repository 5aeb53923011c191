package main

import (
	"io"
	"os"
)

// eachInput calls f with a reader of each of the named files, of which "-" is
// the standard input, or of the standard input alone if there are no names. It
// goes on after an error of a file, telling complain, and stops when f returns
// false.
func eachInput(std streams, names []string, complain func(error), f func(io.Reader) (more bool, err error)) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		more, err := withInput(std, name, f)
		if err != nil {
			complain(err)
		}
		if !more {
			return
		}
	}
}

func withInput(std streams, name string, f func(io.Reader) (bool, error)) (more bool, err error) {
	if name == "-" {
		return f(std.in)
	}
	file, err := os.Open(name)
	if err != nil {
		return true, err
	}
	defer file.Close()
	return f(file)
}
