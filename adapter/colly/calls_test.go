package colly

import (
	"errors"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// newMemory returns a filter for tests that have no use for false positives.
func newMemory(t testing.TB) *blocked.AtomicFilter {
	t.Helper()
	f, err := blocked.NewAtomic(10_000, 1e-8)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// collector returns one that is not asynchronous, so that Visit returns what
// became of the request.
func collector(t testing.TB, st storage.Storage) *colly.Collector {
	t.Helper()
	c := colly.NewCollector()
	if err := c.SetStorage(st); err != nil {
		t.Fatal(err)
	}
	return c
}

// idOf returns colly's id of a GET request.
func idOf(url string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, url)
	return h.Sum64()
}

// HasVisited and HasPosted call IsVisited alone, before and after.
func TestAskingDoesNotVisit(t *testing.T) {
	s := newSite(t, 10)
	st := NewMemory(newMemory(t), Options{Strict: true})
	c := collector(t, st)
	for range 3 {
		if seen, err := c.HasVisited(s.URL + "/page/1"); seen || err != nil {
			t.Fatalf("before the visit: %v, %v", seen, err)
		}
		if seen, err := c.HasPosted(s.URL+"/page/1", map[string]string{"a": "b"}); seen || err != nil {
			t.Fatalf("before the post: %v, %v", seen, err)
		}
	}
	if err := c.Visit(s.URL + "/page/1"); err != nil {
		t.Fatal(err)
	}
	if seen, err := c.HasVisited(s.URL + "/page/1"); !seen || err != nil {
		t.Errorf("after the visit: %v, %v", seen, err)
	}
	if seen, err := st.IsVisited(idOf(s.URL + "/page/1")); !seen || err != nil {
		t.Errorf("the id is not the FNV-1a of the URL: %v, %v", seen, err)
	}
	var visited *colly.AlreadyVisitedError
	if err := c.Visit(s.URL + "/page/1"); !errors.As(err, &visited) {
		t.Errorf("the second visit: %v", err)
	}
	if got, want := st.Counts(), (Counts{New: 1, Filtered: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A meeting is a storage in which two callers that ask about one page wait for each
// other, so that both are told that it was not visited.
type meeting struct {
	storage.Storage
	id  uint64
	two sync.WaitGroup
}

func (m *meeting) IsVisited(id uint64) (bool, error) {
	seen, err := m.Storage.IsVisited(id)
	if id == m.id {
		m.two.Done()
		m.two.Wait()
	}
	return seen, err
}

// Two collectors ask about a page at the same time and are both told that it was
// not visited, once as a link and once as the target of redirects. Only with a
// strict storage one of them does not fetch it.
func TestOfTwoThatAskAtOnceOneFetches(t *testing.T) {
	s := newSite(t, 10)
	const target = "/page/2" // of /old/1 and /old/11
	for _, urls := range [][2]string{{target, target}, {"/old/1", "/old/11"}} {
		redirected := urls[0] != target
		for name, st := range map[string]storage.Storage{
			"colly":  &storage.InMemoryStorage{},
			"usual":  NewMemory(newMemory(t), Options{}),
			"strict": NewMemory(newMemory(t), Options{Strict: true}),
		} {
			m := &meeting{Storage: st, id: idOf(s.URL + target)}
			m.two.Add(2)
			var errs, onError [2]error
			var both sync.WaitGroup
			for i := range 2 {
				c := collector(t, m)
				c.OnError(func(_ *colly.Response, err error) { onError[i] = err })
				both.Go(func() { errs[i] = c.Visit(s.URL + urls[i]) })
			}
			both.Wait()
			refused := 0
			for i, err := range errs {
				if !errors.Is(err, ErrVisited) {
					if err != nil {
						t.Errorf("%s, %q: %v", name, urls, err)
					}
					continue
				}
				refused++
				if redirected != errors.Is(onError[i], ErrVisited) {
					t.Errorf("%s, %q: OnError got %v", name, urls, onError[i])
				}
			}
			want := Counts{New: 1, Repeated: 1}
			wantRefused := 0
			if name == "strict" {
				want, wantRefused = Counts{New: 1, Filtered: 1}, 1
			}
			if redirected {
				want.New += 2
			}
			s.mu.Lock()
			fetches := s.hits[target]
			s.mu.Unlock()
			s.fetched()
			if refused != wantRefused || fetches != 2-wantRefused {
				t.Errorf("%s, %q: %d fetches, %d refused", name, urls, fetches, refused)
			}
			if ours, ok := st.(*Storage); ok && ours.Counts() != want {
				t.Errorf("%s, %q: %+v, want %+v", name, urls, ours.Counts(), want)
			}
		}
	}
}

// The limits of strict mode that the package's comment names. They are here so
// that they are noticed when colly changes.
func TestLimitsOfStrictMode(t *testing.T) {
	s := newSite(t, 10)
	mux := http.NewServeMux()
	mux.Handle("/", s)
	var mu sync.Mutex
	count := map[string]int{}
	mux.HandleFunc("/loop/", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		count[r.URL.Path]++
		mu.Unlock()
		http.Redirect(w, r, map[string]string{"/loop/a": "/loop/b", "/loop/b": "/loop/a"}[r.URL.Path], http.StatusFound)
	})
	s.Config.Handler = mux

	for name, st := range map[string]storage.Storage{
		"colly": &storage.InMemoryStorage{}, "strict": NewMemory(newMemory(t), Options{Strict: true}),
	} {
		// A loop of redirects.
		c := collector(t, st)
		if err := c.Visit(s.URL + "/loop/a"); err == nil || !strings.Contains(err.Error(), "already visited") {
			t.Errorf("%s: the loop ended with %v", name, err)
		}
		for path, want := range map[string]int{"/loop/a": 2, "/loop/b": 1} {
			mu.Lock()
			if count[path] != want {
				t.Errorf("%s: %s was fetched %d times, want %d", name, path, count[path], want)
			}
			delete(count, path)
			mu.Unlock()
		}

		// A retry whose redirect leads to a page that was visited.
		c = collector(t, st)
		var again error
		c.OnResponse(func(r *colly.Response) {
			if r.Ctx.Get("retried") == "" {
				r.Ctx.Put("retried", "yes")
				r.Request.URL, _ = url.Parse(s.URL + "/old/1")
				again = r.Request.Retry()
			}
		})
		if err := c.Visit(s.URL + "/old/1"); err != nil {
			t.Fatal(err)
		}
		if strict := name == "strict"; strict != errors.Is(again, ErrVisited) || !strict && again != nil {
			t.Errorf("%s: the retry ended with %v", name, again)
		}

		// CheckHead marks the target before GET gets there.
		c = collector(t, st)
		c.CheckHead = true
		var visited *colly.AlreadyVisitedError
		if err := c.Visit(s.URL + "/old/2"); !errors.As(err, &visited) {
			t.Errorf("%s: with CheckHead a redirect ended with %v", name, err)
		}
	}
}

// broken is a filter that does not know.
type broken struct{ err error }

func (broken) Seed() uint64                          { return 0 }
func (b broken) HasHash(uint64) (bool, error)        { return false, b.err }
func (b broken) TestAndAddHash(uint64) (bool, error) { return true, b.err }

// halfBroken does not know whether it has added.
type halfBroken struct{ broken }

func (halfBroken) HasHash(uint64) (bool, error) { return false, nil }

// A request of which the filter does not know is not made, and its error arrives.
func TestUnknownPagesAreNotFetched(t *testing.T) {
	s := newSite(t, 10)
	reason := errors.New("no answer")
	for name, f := range map[string]Filter{"read": broken{reason}, "write": halfBroken{broken{reason}}} {
		var logged []Verdict
		st := NewStorage(f, Options{Log: func(key []byte, v Verdict, err error) {
			if !errors.Is(err, reason) {
				t.Errorf("%s: Log got %v", name, err)
			}
			logged = append(logged, v)
		}})
		if err := collector(t, st).Visit(s.URL + "/page/1"); !errors.Is(err, reason) {
			t.Errorf("%s: Visit returned %v", name, err)
		}
		if _, err := st.SeenString("fingerprint"); !errors.Is(err, reason) {
			t.Errorf("%s: Seen returned %v", name, err)
		}
		if pages, _ := s.fetched(); len(pages) > 0 {
			t.Errorf("%s: fetched %q", name, pages)
		}
		if got := st.Counts(); got != (Counts{Unknown: 2}) || !slices.Equal(logged, []Verdict{Unknown, Unknown}) {
			t.Errorf("%s: %+v, logged %v", name, got, logged)
		}
	}
}

// After the file has been closed every page is unknown, and nothing panics.
func TestAClosedFileIsAnError(t *testing.T) {
	if !canShare {
		t.Skip("this system cannot share filter files")
	}
	f, err := filterfile.Create(t.TempDir()+"/visited", 1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	st := NewFile(f, Options{})
	if err := st.Visited(1); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := st.Visited(2); !errors.Is(err, filterfile.ErrClosed) {
		t.Errorf("Visited: %v", err)
	}
	if _, err := st.IsVisited(1); !errors.Is(err, filterfile.ErrClosed) {
		t.Errorf("IsVisited: %v", err)
	}
	if _, err := st.SeenString("x"); !errors.Is(err, filterfile.ErrClosed) {
		t.Errorf("Seen: %v", err)
	}
}
