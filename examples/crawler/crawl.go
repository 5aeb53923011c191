package main

import (
	"errors"
	"fmt"
	"log"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gocolly "github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"
	"github.com/linebloom/linebloom/adapter/colly"
)

// crawl visits all pages of start's host that nobody has visited, and returns the
// average length of the URLs of its requests, 0 if there were none. Its error is also that of pages of which the
// storage did not know.
func crawl(cfg config, visited *colly.Storage, local *site, start string) (urlBytes float64, err error) {
	home, err := url.Parse(start)
	if err != nil {
		return 0, err
	}
	c := gocolly.NewCollector(gocolly.AllowedDomains(home.Hostname()))
	if local != nil {
		c.WithTransport(local.transport)
	} else {
		c.IgnoreRobotsTxt = false
		if err := c.Limit(&gocolly.LimitRule{DomainGlob: "*", Parallelism: cfg.threads, Delay: 200 * time.Millisecond}); err != nil {
			return 0, err
		}
	}
	if err := c.SetStorage(visited); err != nil {
		return 0, err
	}
	waiting, closeFrontier, err := openQueue(cfg)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeFrontier()) }()

	// The queue does not tell what became of a request: the first error is kept.
	var once sync.Once
	var failed error
	fail := func(e error) { once.Do(func() { failed = e }) }
	var length, requests atomic.Int64
	c.OnHTML("a[href]", func(e *gocolly.HTMLElement) {
		link := e.Request.AbsoluteURL(e.Attr("href"))
		if u, err := url.Parse(link); err != nil || !strings.HasPrefix(u.Scheme, "http") || u.Host != home.Host {
			return
		}
		seen, err := c.HasVisited(link)
		if err == nil && !seen {
			err = waiting.AddURL(link)
		}
		if err != nil {
			fail(err)
		}
	})
	c.OnRequest(func(r *gocolly.Request) {
		length.Add(int64(len(r.URL.String())))
		requests.Add(1)
	})
	c.OnError(func(r *gocolly.Response, err error) {
		var before *gocolly.AlreadyVisitedError
		if !errors.As(err, &before) && !errors.Is(err, colly.ErrVisited) { // at the end of a redirect
			log.Printf("%s: %v", r.Request.URL, err)
		}
	})
	if err := waiting.AddURL(start); err != nil {
		return 0, err
	}
	if err := waiting.Run(c); err != nil {
		return 0, err
	}
	if n := visited.Counts().Unknown; n > 0 && failed == nil {
		failed = fmt.Errorf("the storage did not answer %d times", n)
	}
	return float64(length.Load()) / max(1, float64(requests.Load())), failed
}

// openQueue returns colly's queue, in memory or in a file from which a crawl that
// was killed goes on.
func openQueue(cfg config) (*queue.Queue, func() error, error) {
	path := cfg.frontier
	if path == "" && cfg.storage == "file" {
		path = cfg.file + ".frontier"
	}
	if path == "" {
		q, err := queue.New(cfg.threads, &queue.InMemoryQueueStorage{})
		return q, func() error { return nil }, err
	}
	frontier, err := colly.OpenFrontier(path)
	if err != nil {
		return nil, nil, err
	}
	q, err := queue.New(cfg.threads, frontier)
	return q, frontier.Close, err
}
