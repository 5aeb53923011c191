// Package fuzz holds the fuzz targets of linebloom, with their corpora. Run one
// with, for example,
//
//	go test ./fuzz -run '^$' -fuzz FuzzKernels -fuzztime 1m
package fuzz
