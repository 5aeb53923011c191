package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheCommittedTableIsWhatThisProgramWrites(t *testing.T) {
	want, err := table()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("internal/rate/table.go is not what the program makes; run `go generate ./internal/rate`")
	}
}
