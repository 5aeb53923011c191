package filterfile

import (
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
)

// BenchmarkOpen gives the time of opening and closing a file of a GiB (256 MiB on
// 32 bits), of which the blocks are a hole. VerifyAll is in BenchmarkVerify.
func BenchmarkOpen(b *testing.B) {
	path := sparse(b, largeBytes())
	for _, way := range []string{"VerifyHeader", "VerifyLazy"} {
		b.Run(way, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := Open(path, ways[way])
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}

// mappedBytes is the size of the filter of BenchmarkMapped and BenchmarkVerify.
const mappedBytes = 64 << 20

// mappedKeys fill it with 10 bits per key.
const mappedKeys = mappedBytes * 8 / 10

// BenchmarkVerify gives the time of opening a file of 64 MiB, which is in the
// system's memory, with all its checksums.
func BenchmarkVerify(b *testing.B) {
	path, _ := mappedFilter(b)
	b.SetBytes(mappedBytes)
	for b.Loop() {
		f, err := Open(path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

func mappedFilter(b *testing.B) (path string, f *blocked.Filter) {
	b.Helper()
	f, err := blocked.NewFromParams(blocked.Params{Blocks: mappedBytes / 64, K: 6})
	if err != nil {
		b.Fatal(err)
	}
	for from := 0; from < mappedKeys; from += 1 << 20 {
		f.AddUint64s(span(from, min(from+1<<20, mappedKeys)))
	}
	path = filepath.Join(b.TempDir(), "f.lbf")
	if err := Save(path, f, nil); err != nil {
		b.Fatal(err)
	}
	return path, f
}

// BenchmarkMapped compares look-ups of absent keys in a filter in memory with
// those in the same filter in mapped files, in ns per key. A View of a mapped file
// has no guard against faults.
func BenchmarkMapped(b *testing.B) {
	path, f := mappedFilter(b)
	type lookUps interface {
		HasHash(uint64) bool
		HasHashes(dst, hashes []uint64) int
	}
	filters := []struct {
		name string
		lookUps
	}{{"memory", f}}
	for _, way := range []string{"VerifyAll", "VerifyLazy"} {
		file, err := Open(path, ways[way])
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		file.View() // all chunks are checked now
		filters = append(filters, struct {
			name string
			lookUps
		}{"File, " + way, file})
		if way == "VerifyAll" {
			filters = append(filters, struct {
				name string
				lookUps
			}{"View of a File", file.View()})
		}
	}
	if shared, err := OpenShared(path); err == nil {
		defer shared.Close()
		filters = append(filters, struct {
			name string
			lookUps
		}{"Shared", shared})
	}
	r := dice(9)
	absent := make([]uint64, 1<<20)
	for i := range absent {
		absent[i] = r.Uint64()
	}
	dst := make([]uint64, len(absent)/64)
	perKey := func(b *testing.B, hits int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(absent)), "ns/key")
		if hits > len(absent)/50 {
			b.Errorf("%d of %d absent keys are found", hits, len(absent))
		}
	}
	for _, filter := range filters {
		b.Run("HasHashes/"+filter.name, func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = filter.HasHashes(dst, absent)
			}
			perKey(b, hits)
		})
	}
	for _, filter := range filters {
		b.Run("HasHash/"+filter.name, func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = 0
				for _, h := range absent {
					if filter.HasHash(h) {
						hits++
					}
				}
			}
			perKey(b, hits)
		})
	}
}
