package filterfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"golang.org/x/sys/unix"
)

// BenchmarkCold gives the time of look-ups in a file of which nothing is in the
// system's memory: as Open advises the system, that blocks are asked for at
// random, and as the system does by itself, which is to read ahead.
func BenchmarkCold(b *testing.B) {
	const size, asked = 1 << 30, 1000
	path := filepath.Join(b.TempDir(), "f.lbf")
	f, err := blocked.NewFromParams(blocked.Params{Blocks: size / 64, K: 6})
	if err != nil {
		b.Fatal(err)
	}
	r := dice(9)
	for range 1 << 20 {
		f.AddHash(r.Uint64())
	}
	if err := Save(path, f, nil); err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name   string
		advice int
	}{{"random", unix.MADV_RANDOM}, {"normal", unix.MADV_NORMAL}} {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				forget(b, path)
				file, err := Open(path, Options{Verify: VerifyHeader})
				if err != nil {
					b.Fatal(err)
				}
				if err := unix.Madvise(file.bytes, way.advice); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				for range asked {
					file.HasHash(r.Uint64())
				}
				b.StopTimer()
				file.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/asked, "µs/key")
		})
	}
}

// forget drops a file from the system's memory.
func forget(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		b.Fatal(err)
	}
}
