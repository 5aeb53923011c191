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
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
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
	crawl(t, s, &storage.InMemoryStorage{}, 4)
	_, repeated = s.fetched()
	t.Logf("%d pages; four collectors with colly's own storage fetch %d of them more than once", len(want), len(repeated))

	f, err := blocked.NewAtomic(10_000, 1e-8)
	if err != nil {
		t.Fatal(err)
	}
	backends := map[string]*Storage{
		"memory": NewMemory(f, Options{Strict: true}),
	}
	if canShare {
		f, err := filterfile.Create(filepath.Join(t.TempDir(), "visited"), 10_000, 1e-8)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		backends["file"] = NewFile(f, Options{Strict: true})
	}
	for name, st := range backends {
		t.Run(name, func(t *testing.T) {
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
