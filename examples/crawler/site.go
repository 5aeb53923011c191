package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// home is the first page of the built-in site. No name server knows it: the site's
// transport does.
const home = "http://site.example/"

// A site is a web site in this process.
type site struct {
	transport *http.Transport // that leads to it
	server    *http.Server
	pages     int
	slowly    bool

	mu   sync.Mutex
	hits map[string]int
}

// serve starts a site with so many pages, and three times as many views of them.
func serve(pages int, slowly bool) (*site, error) {
	if pages < 1 {
		return nil, fmt.Errorf("%d pages, want at least 1", pages)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{pages: pages, slowly: slowly, hits: map[string]int{}}
	s.transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", l.Addr().String())
	}}
	s.server = &http.Server{Handler: s}
	go s.server.Serve(l)
	return s, nil
}

func (s *site) close() error {
	s.transport.CloseIdleConnections()
	return s.server.Close()
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page := r.URL.RequestURI()
	s.mu.Lock()
	s.hits[page]++
	s.mu.Unlock()
	if s.slowly {
		time.Sleep(50 * time.Millisecond)
	}
	w.Header().Set("Content-Type", "text/html")
	var i int
	switch {
	case page == "/":
		fmt.Fprint(w, `<a href="/page/0">all pages</a>`)
	case scan(page, "/page/%d", &i):
		for _, j := range []int{i + 1, i / 2, 7*i + 3, 13 * i} { // in circles
			fmt.Fprintf(w, `<a href="/page/%d">page</a> `, j%s.pages)
		}
		fmt.Fprintf(w, `<a href="/view?page=%d&amp;for=print">print</a> <a href="/view?for=print&amp;page=%d">print</a> `, i, i)
		fmt.Fprintf(w, `<a href="/old/%d">older</a>`, i)
	case scan(page, "/old/%d", &i):
		http.Redirect(w, r, fmt.Sprintf("/page/%d", i/3), http.StatusMovedPermanently)
	case scan(page, "/view?page=%d", &i), scan(page, "/view?for=print&page=%d", &i):
		fmt.Fprintf(w, `<a href="/page/%d">back</a>`, i)
	default:
		http.NotFound(w, r)
	}
}

// scan reads the number in what a page is called.
func scan(page, format string, i *int) bool {
	n, _ := fmt.Sscanf(page, format, i)
	return n == 1
}

// fetched returns for how many pages the site was asked.
func (s *site) fetched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.hits)
}

// repeated returns for how many pages the site was asked more than once.
func (s *site) repeated() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, hits := range s.hits {
		if hits > 1 {
			n++
		}
	}
	return n
}
