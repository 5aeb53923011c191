package colly

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/scalable"
)

// crawl lets so many collectors that share a storage crawl a site at the same
// time, all from the same pages.
func crawl(t *testing.T, s *site, st storage.Storage, collectors int) {
	t.Helper()
	var all sync.WaitGroup
	for range collectors {
		c := colly.NewCollector(colly.Async(collectors > 1))
		if err := c.SetStorage(st); err != nil {
			t.Fatal(err)
		}
		if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 8}); err != nil {
			t.Fatal(err)
		}
		c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
		all.Go(func() {
			for _, url := range s.starts() {
				c.Visit(url)
			}
			c.Wait()
		})
	}
	all.Wait()
}

// yielding is a filter that lets others go first between IsVisited and Visited, so
// that they get between the two, and counts how often they did.
type yielding struct {
	Filter
	late *atomic.Int64
}

func (y yielding) HasHash(h uint64) (bool, error) {
	defer runtime.Gosched()
	return y.Filter.HasHash(h)
}

func (y yielding) TestAndAddHash(h uint64) (bool, error) {
	seen, err := y.Filter.TestAndAddHash(h)
	if seen {
		y.late.Add(1)
	}
	return seen, err
}

// mustBeOnce fails the test unless all pages were fetched once each.
func mustBeOnce(t *testing.T, s *site, want []string) {
	t.Helper()
	pages, repeated := s.fetched()
	if len(repeated) > 0 {
		t.Errorf("%d pages were fetched more than once: %q", len(repeated), repeated)
	}
	if !slices.Equal(pages, want) {
		t.Errorf("%d pages were fetched, %d by colly with its own storage", len(pages), len(want))
	}
}

// Four parallel collectors that share a strict storage fetch each page exactly
// once, and all pages that one collector fetches with colly's own storage.
func TestParallelCollectorsFetchEachPageOnce(t *testing.T) {
	s := newSite(t, fewer(400, 100))
	crawl(t, s, &storage.InMemoryStorage{}, 1)
	want, repeated := s.fetched()
	if len(want) < 4*s.pages || len(repeated) > 0 {
		t.Fatalf("one collector with colly's storage: %d pages, %d more than once", len(want), len(repeated))
	}
	for name, open := range map[string]func(t *testing.T) *Storage{
		"memory": func(t *testing.T) *Storage { return NewMemory(newMemory(t), Options{Strict: true}) },
		"scalable": func(t *testing.T) *Storage {
			f, err := scalable.New(100, 1e-6) // so small that it grows while they crawl
			if err != nil {
				t.Fatal(err)
			}
			return NewScalable(f, Options{Strict: true})
		},
		"file": func(t *testing.T) *Storage {
			if !canShare {
				t.Skip("this system cannot share filter files")
			}
			f, err := filterfile.Create(filepath.Join(t.TempDir(), "visited"), 10_000, 1e-8)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return NewFile(f, Options{Strict: true})
		},
		"redis": func(t *testing.T) *Storage {
			return newRedis(t, connect(t, redistest.Start(t).Addr), Options{Strict: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := open(t)
			var logged, late atomic.Int64
			st.options.Log = func(_ []byte, v Verdict, err error) {
				if v != Filtered || err != nil {
					t.Errorf("%v: %v", v, err)
				}
				logged.Add(1)
			}
			st.filter = yielding{st.filter, &late}
			crawl(t, s, st, 4)
			mustBeOnce(t, s, want)
			counts := st.Counts()
			t.Logf("%+v; %d requests were refused by Visited after IsVisited had let them pass", counts, late.Load())
			if counts.New != uint64(len(want)) || counts.Repeated+counts.Unknown != 0 || counts.Filtered != uint64(logged.Load()) {
				t.Errorf("%+v for %d pages, %d calls of Log", counts, len(want), logged.Load())
			}
		})
	}
}
