package filterfile

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

func TestSharedLivesOn(t *testing.T) {
	path, s := create(t, 10_000)
	for x := range uint64(5000) {
		if s.TestAndAddUint64(x) && x < 100 {
			t.Errorf("%d is there before it was added", x)
		}
	}
	n, err := s.Len()
	if err != nil || n < 4900 || n > 5000 || s.CountState() != blocked.Exact {
		t.Fatalf("Len = %d, %v, %v", n, err, s.CountState())
	}
	if _, err := Open(path, Options{}); !errors.Is(err, blocked.ErrUnclean) {
		t.Fatalf("opening a file in use: %v, want ErrUnclean", err)
	}
	live, err := Open(path, Options{InUse: true})
	if err != nil {
		t.Fatal(err)
	}
	s.AddString("later")
	if !live.HasString("later") {
		t.Fatal("a view of a file in use does not see what is added")
	}
	live.Close()
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Fatalf("second Close: %v", err)
	}
	if _, err := Create(path, 10, 0.01); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("Create over a file: %v", err)
	}
	for _, opts := range []Options{{}, {Verify: VerifyHeader}, {Verify: VerifyLazy}, {Degraded: true}} {
		f, err := Open(path, opts)
		if err != nil {
			t.Fatalf("%+v: %v", opts, err)
		}
		for x := range uint64(5000) {
			if !f.HasUint64(x) {
				t.Fatalf("%+v: %d is lost", opts, x)
			}
		}
		if got := f.Header(); got.Count != n || got.CountState != blocked.Estimate || got.Capacity != 10_000 {
			t.Fatalf("header %+v", got)
		}
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		f.Close()
	}
	again, err := OpenOrCreate(path, 1, 0.5)
	if err != nil || again.Unclean() || !again.HasString("later") || again.Capacity() != 10_000 {
		t.Fatalf("opened again: %v", err)
	}
	mem, _ := blocked.New(10_000, 0.01)
	mem.AddString("united")
	if err := again.Union(mem); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Len(); !errors.Is(err, blocked.ErrIndeterminateCount) {
		t.Fatalf("Len after a union: %v", err)
	}
	if err := mem.Union(again); err != nil || !mem.HasUint64(77) {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{})
	if err != nil || f.Header().CountState != blocked.Indeterminate || !f.HasString("united") {
		t.Fatalf("after a union: %v", err)
	}
}

func TestUseAfterCloseAndTruncation(t *testing.T) {
	path, s := create(t, 1_000_000)
	s.AddUint64(1)
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	err := caught(func() {
		for x := range uint64(1000) {
			s.HasUint64(x)
		}
	})
	if err == nil {
		t.Fatal("reading a truncated file is no error")
	}
	t.Log(err)
	if err := s.Close(); err == nil {
		t.Fatal("closing a truncated file is no error")
	} else {
		t.Log(err)
	}
	if err := caught(func() { s.HasUint64(1) }); !errors.Is(err, ErrClosed) {
		t.Fatalf("use after Close: %v", err)
	}
}
