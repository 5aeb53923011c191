package filterfile

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/linebloom/linebloom/internal/format"
)

// sparse makes the file of an empty filter with so many bytes of blocks, which are
// a hole and take no space on the disk.
func sparse(t testing.TB, bytes uint64) (path string) {
	t.Helper()
	h := format.Header{Layout: format.Blocked, K: 6, Blocks: bytes / 64, CountState: format.Exact}
	h.Place(format.FileAlign)
	sums := make([]uint32, h.Chunks())
	for i := range sums {
		sums[i] = format.Checksum(zeroChunk)
	}
	path = filepath.Join(t.TempDir(), "large.lbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(h.Append(nil))
	_, err2 := f.WriteAt(h.AppendFooter(nil, sums), int64(h.TotalBytes())-int64(h.FooterBytes()))
	if err := errors.Join(err, err2, f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

var zeroChunk = make([]byte, format.ChunkBytes)

// largeBytes is the size of a file that is large for the CPU.
func largeBytes() uint64 {
	if math.MaxInt == math.MaxInt32 {
		return 256 << 20
	}
	return 1 << 30
}

// allocated returns how many bytes do allocates at most.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	least := uint64(math.MaxUint64)
	for range 5 { // what runs beside this may allocate too
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Opening a file without checking its blocks needs memory for the header, and with
// checking them lazily for the checksums, 4 bytes in 64 KiB. Look-ups need none.
func TestOpeningALargeFileAllocatesLittle(t *testing.T) {
	hasMappings(t)
	path := sparse(t, largeBytes())
	for _, c := range []struct {
		way  string
		most uint64
	}{
		{"VerifyHeader", 16 << 10},
		{"VerifyLazy", 64<<10 + 3*largeBytes()/format.ChunkBytes*4},
		{"VerifyAll", 64<<10 + 8*largeBytes()/format.ChunkBytes*4}, // an error for each chunk, while they are checked
	} {
		if c.way == "VerifyAll" && !thorough() {
			continue // reads it all
		}
		got := allocated(func() {
			f, err := Open(path, ways[c.way])
			if err != nil {
				t.Fatal(err)
			}
			if f.HasUint64(1) {
				t.Fatal("a filter of zeros has a key")
			}
			f.Close()
		})
		t.Logf("%s of %d MiB: %d bytes", c.way, largeBytes()>>20, got)
		if got > c.most {
			t.Errorf("%s of %d MiB allocates %d bytes, want at most %d", c.way, largeBytes()>>20, got, c.most)
		}
	}
	f, err := Open(path, ways["VerifyLazy"])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dst := make([]uint64, 100)
	key := uint64(0)
	if n := testing.AllocsPerRun(100, func() { key++; f.HasUint64(key); f.HasHash(key << 40); f.HasHashes(dst, hashes) }); n > 0 {
		t.Errorf("look-ups make %g allocations", n)
	}
}

// Adds do not allocate either.
func TestAddsToASharedFileDoNotAllocate(t *testing.T) {
	_, s := create(t, 100_000)
	defer s.Close()
	key, b := uint64(0), []byte("key")
	if n := testing.AllocsPerRun(100, func() {
		key++
		s.AddUint64(key)
		s.Add(b)
		s.TestAndAddUint64(key << 30)
		s.AddHashes(hashes)
		s.AddUint64s(hashes)
	}); n > 0 {
		t.Errorf("adds make %g allocations", n)
	}
}

// A header that promises much is not believed.
func TestTheSizeInTheHeaderIsNotBelieved(t *testing.T) {
	t.Parallel()
	path := sparse(t, 1<<20)
	h := format.Header{Layout: format.Blocked, K: 6, Blocks: 1 << 32, CountState: format.Exact}
	h.Place(format.FileAlign)
	v := newVictim(t, path, contentOf(t, path))
	v.with(t, h.Append(nil), 0, func() {
		for way := range ways {
			refused(t, path, way)
		}
		refusedShared(t, path)
	})
}
