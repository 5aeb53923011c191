package colly

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A site is a web site in this process: pages with links in cycles, redirects and
// chains of them, pages with queries, and one that sets a cookie. It counts what is
// fetched.
type site struct {
	*httptest.Server
	pages int

	mu   sync.Mutex
	hits map[string]int // by path and query
	hold func() bool    // whether to leave a request without an answer; may be nil
}

func newSite(t testing.TB, pages int) *site {
	s := &site{pages: pages, hits: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.URL.RequestURI()]++
	hold := s.hold != nil && s.hold()
	s.mu.Unlock()
	if hold {
		<-r.Context().Done() // the client is gone
		return
	}
	if target := s.target(r.URL.RequestURI()); target != "" {
		http.Redirect(w, r, target, http.StatusFound)
		return
	}
	if r.URL.Path == "/login" {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "42", Path: "/"})
	}
	w.Header().Set("X-Cookie", r.Header.Get("Cookie"))
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<html><body>")
	for _, link := range s.links(r.URL.RequestURI()) {
		fmt.Fprintf(w, "<a href=%q>%s</a>\n", strings.ReplaceAll(link, "&", "&amp;"), "link")
	}
	fmt.Fprint(w, "</body></html>")
}

// number reads the number in what a page is called.
func number(page, format string) (i int, ok bool) {
	n, err := fmt.Sscanf(page, format, &i)
	return i, n == 1 && err == nil
}

// target returns where a page redirects to, or nothing.
func (s *site) target(page string) string {
	if i, ok := number(page, "/older/%d"); ok {
		return fmt.Sprintf("/old/%d", i)
	}
	if i, ok := number(page, "/old/%d"); ok {
		return fmt.Sprintf("/page/%d", (11*i+1)%s.pages)
	}
	return ""
}

// links returns the links on a page.
func (s *site) links(page string) (links []string) {
	add := func(format string, i int) { links = append(links, fmt.Sprintf(format, i)) }
	if i, ok := number(page, "/page/%d"); ok {
		for _, j := range []int{i + 1, i, i / 2, 7*i + 3, 13*i + 5} {
			add("/page/%d", j%s.pages)
		}
		add("/item?id=%d&lang=en", i)
		add("/item?lang=en&id=%d", i)
		add("/item?id=%d", i)
		if i%5 == 0 {
			add("/old/%d", i)
		}
		if i%10 == 0 {
			add("/older/%d", i/2)
		}
		return links
	}
	if i, ok := number(page, "/item?id=%d"); ok {
		add("/page/%d", 3*i%s.pages)
	}
	return links
}

// starts are pages all over the site.
func (s *site) starts() (urls []string) {
	for i := range 10 {
		urls = append(urls, fmt.Sprintf("%s/page/%d", s.URL, i*s.pages/10))
	}
	return urls
}

// fetched returns what was fetched since the last call, sorted, and what was
// fetched more than once.
func (s *site) fetched() (pages, repeated []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for page, n := range s.hits {
		pages = append(pages, page)
		if n > 1 {
			repeated = append(repeated, fmt.Sprintf("%s: %d times", page, n))
		}
	}
	s.hits = map[string]int{}
	slices.Sort(pages)
	slices.Sort(repeated)
	return pages, repeated
}

// raceEnabled says whether the race detector is on, which makes tests slower.
var raceEnabled bool

// fewer returns n, or a part of it in a short test.
func fewer(n, short int) int {
	if testing.Short() || raceEnabled {
		return short
	}
	return n
}
