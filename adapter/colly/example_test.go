package colly_test

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	gocolly "github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"
	"github.com/linebloom/linebloom/adapter/colly"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// serve starts a site of three pages that link to each other.
func serve() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("fetched", r.URL)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/">home</a> <a href="/a">a</a> <a href="/b">b</a>`)
	}))
}

// Two collectors share the pages that were visited: each page is fetched once.
func ExampleNewMemory() {
	site := serve()
	defer site.Close()
	pages, err := blocked.NewAtomic(1_000_000, 1e-6)
	if err != nil {
		log.Fatal(err)
	}
	visited := colly.NewMemory(pages, colly.Options{Strict: true})
	for range 2 {
		c := gocolly.NewCollector()
		if err := c.SetStorage(visited); err != nil {
			log.Fatal(err)
		}
		c.OnHTML("a[href]", func(e *gocolly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
		err := c.Visit(site.URL + "/")
		var before *gocolly.AlreadyVisitedError
		if errors.As(err, &before) || errors.Is(err, colly.ErrVisited) {
			fmt.Println("the other collector was there")
		}
	}
	fmt.Println(visited.Counts().New, "pages")
	// Output:
	// fetched /
	// fetched /a
	// fetched /b
	// the other collector was there
	// 3 pages
}

// What was visited and what is to be visited are in files: a crawler that is
// started again goes on.
func ExampleNewFile() {
	site := serve()
	defer site.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	crawl := func() error {
		pages, err := filterfile.OpenOrCreate(filepath.Join(dir, "visited.lbf"), 1_000_000, 1e-6)
		if err != nil {
			return err
		}
		defer pages.Close()
		frontier, err := colly.OpenFrontier(filepath.Join(dir, "frontier"))
		if err != nil {
			return err
		}
		defer frontier.Close()
		waiting, err := queue.New(1, frontier)
		if err != nil {
			return err
		}
		c := gocolly.NewCollector()
		if err := c.SetStorage(colly.NewFile(pages, colly.Options{Strict: true})); err != nil {
			return err
		}
		c.OnHTML("a[href]", func(e *gocolly.HTMLElement) {
			link := e.Request.AbsoluteURL(e.Attr("href"))
			if visited, err := c.HasVisited(link); err != nil || visited {
				return
			}
			if err := waiting.AddURL(link); err != nil {
				log.Fatal(err)
			}
		})
		if err := waiting.AddURL(site.URL + "/"); err != nil {
			return err
		}
		return waiting.Run(c)
	}
	for range 2 {
		if err := crawl(); err != nil {
			log.Fatal(err)
		}
		fmt.Println("done")
	}
	// Output:
	// fetched /
	// fetched /a
	// fetched /b
	// done
	// done
}

// Something that is to be done once, whoever comes first, and that no collector
// knows of.
func ExampleStorage_SeenString() {
	pages, err := blocked.NewAtomic(1_000_000, 1e-6)
	if err != nil {
		log.Fatal(err)
	}
	requests := colly.NewMemory(pages, colly.Options{Log: func(key []byte, v colly.Verdict, _ error) {
		fmt.Printf("%v: %s\n", v, key)
	}})
	for _, request := range []string{"GET a.example", "POST a.example", "GET a.example"} {
		seen, err := requests.SeenString(request)
		if err != nil {
			log.Fatal(err)
		}
		if !seen {
			fmt.Println("do", request)
		}
	}
	fmt.Printf("%+v\n", requests.Counts())
	// Output:
	// do GET a.example
	// do POST a.example
	// filtered: GET a.example
	// {New:2 Filtered:1 Repeated:0 Unknown:0}
}
