package filterfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// openLazily damages some chunks and opens the file.
func (s *specimen) openLazily(t *testing.T, chunks ...int) *File {
	t.Helper()
	p := bytes.Clone(s.whole)
	for _, i := range chunks {
		from, to := s.header.Chunk(i)
		clear(p[format.FileAlign+int(from) : format.FileAlign+int(to)]) // all its keys would get no
	}
	write(t, s.path, p)
	f, err := Open(s.path, ways["VerifyLazy"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestLazyAnswersMaybeForDamagedChunksAndTells(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	last := s.header.Chunks() - 1
	for _, damaged := range [][]int{nil, {0}, {last}, {1, 3}, {0, 1, 2, 3, last}} {
		f := s.openLazily(t, damaged...)
		if f.Err() != nil {
			t.Fatalf("Err before the first look-up: %v", f.Err())
		}
		s.judge(t, f, func(chunk int) bool {
			for _, i := range damaged {
				if chunk == i {
					return true
				}
			}
			return false
		})
		if len(damaged) > 0 && !errors.Is(f.Err(), blocked.ErrCorrupt) || len(damaged) == 0 && f.Err() != nil {
			t.Fatalf("chunks %v are damaged, Err: %v", damaged, f.Err())
		}
		if !bytes.Equal(contentOf(t, s.path)[:format.FileAlign], s.whole[:format.FileAlign]) {
			t.Fatal("the file was changed")
		}
	}
}

// Each way to look up makes sure by itself that the chunk was checked.
func TestEveryLazyLookUpChecksItsChunkFirst(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	key := uint64(0)
	for s.chunkOf(key) != 2 {
		key++
	}
	h := blocked.HashUint64(s.header.Seed, key)
	b := binary.LittleEndian.AppendUint64(nil, key)
	one := make([]uint64, 1)
	for name, has := range map[string]func(f *File) bool{
		"Has":            func(f *File) bool { return f.Has(b) },
		"HasString":      func(f *File) bool { return f.HasString(string(b)) },
		"HasUint64":      func(f *File) bool { return f.HasUint64(key) },
		"HasHash":        func(f *File) bool { return f.HasHash(h) },
		"HasHashes":      func(f *File) bool { return f.HasHashes(one, []uint64{h}) == 1 },
		"HasKeys":        func(f *File) bool { return f.HasKeys(one, [][]byte{b}) == 1 },
		"HasStrings":     func(f *File) bool { return f.HasStrings(one, []string{string(b)}) == 1 },
		"HasUint64s":     func(f *File) bool { return f.HasUint64s(one, []uint64{key}) == 1 },
		"SelectHashes":   func(f *File) bool { return len(f.SelectHashes(nil, []uint64{h})) == 1 },
		"View":           func(f *File) bool { return f.View().HasHash(h) },
		"Equal":          func(f *File) bool { return !f.Equal(s.filter) && f.HasHash(h) },
		"EstimateCount":  func(f *File) bool { return f.EstimateCount() > specimenKeys*1.1 },
		"EstimateFPRate": func(f *File) bool { return f.EstimateFPRate() > 0.2 },
		"FillRatio":      func(f *File) bool { return f.FillRatio() > 0.2 },
	} {
		f := s.openLazily(t, 2)
		if !has(f) {
			t.Errorf("%s looks at a damaged chunk before it is checked", name)
		}
		if !errors.Is(f.Err(), blocked.ErrCorrupt) {
			t.Errorf("%s: Err is %v", name, f.Err())
		}
	}
}

// Chunks are checked, and filled, while other goroutines look up.
func TestLazyChecksAreSafeForManyGoroutines(t *testing.T) {
	t.Parallel()
	s := newSpecimen(t)
	for round := range rounds(20) {
		f := s.openLazily(t, 1, 4)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				r := dice(uint64(round*4 + g))
				for range 2000 {
					if key := r.Uint64N(specimenKeys); !f.HasUint64(key) {
						t.Errorf("key %d of chunk %d is lost", key, s.chunkOf(key))
						return
					}
				}
				if n := lost(f, span(0, specimenKeys)); n > 0 {
					t.Errorf("%d keys are lost", n)
				}
			})
		}
		wg.Wait()
		if !errors.Is(f.Err(), blocked.ErrCorrupt) {
			t.Fatalf("Err: %v", f.Err())
		}
	}
}
