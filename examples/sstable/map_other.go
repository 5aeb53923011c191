//go:build !unix

package main

import "os"

// load reads a file where mapping it would take other code.
func load(path string) ([]byte, func() error, error) {
	data, err := os.ReadFile(path)
	return data, func() error { return nil }, err
}
