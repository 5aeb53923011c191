package colly

import (
	"path/filepath"
	"testing"

	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/scalable"
)

// What a new page costs, IsVisited and Visited, while a million of them come, and
// the memory that the filter takes for each. Colly's own storage is beside it.
func BenchmarkNewPage(b *testing.B) {
	const pages, rate = 1 << 20, 1e-6
	for name, open := range map[string]func(b *testing.B) (st storage.Storage, bytes func() uint64){
		"colly": func(b *testing.B) (storage.Storage, func() uint64) {
			return &storage.InMemoryStorage{}, nil
		},
		"memory": func(b *testing.B) (storage.Storage, func() uint64) {
			f, err := blocked.NewAtomic(pages, rate)
			if err != nil {
				b.Fatal(err)
			}
			return NewMemory(f, Options{Strict: true}), f.Params().Bytes
		},
		"scalable": func(b *testing.B) (storage.Storage, func() uint64) {
			f, err := scalable.New(10_000, rate)
			if err != nil {
				b.Fatal(err)
			}
			return NewScalable(f, Options{Strict: true}), f.Bytes
		},
		"file": func(b *testing.B) (storage.Storage, func() uint64) {
			f, err := filterfile.Create(filepath.Join(b.TempDir(), "visited"), pages, rate)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { f.Close() })
			return NewFile(f, Options{Strict: true}), f.Params().Bytes
		},
	} {
		b.Run(name, func(b *testing.B) {
			var st storage.Storage
			var bytes func() uint64
			for i := 0; b.Loop(); i++ {
				if i%pages == 0 {
					b.StopTimer()
					st, bytes = open(b)
					if err := st.Init(); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				id := uint64(i) * 0x9E3779B97F4A7C15
				if seen, err := st.IsVisited(id); err != nil || !seen && st.Visited(id) != nil {
					b.Fatal(err)
				}
			}
			if bytes != nil {
				b.ReportMetric(float64(bytes())/pages, "bytes/page")
			}
		})
	}
}
