package colly

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"
	"github.com/linebloom/linebloom/filterfile"
)

// threads are those of a crawler's queue.
const threads = 4

// crawlFromFiles crawls with visited pages and frontier in files.
func crawlFromFiles(visited, frontier string, starts []string) (err error) {
	f, err := filterfile.OpenOrCreate(visited, 10_000, 1e-8)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return crawlFrom(NewFile(f, Options{Strict: true}), frontier, starts)
}

// crawlFrom crawls, or goes on crawling. When all links of a page are in the
// frontier it says on stdout that it is done with the page.
func crawlFrom(visited *Storage, frontier string, starts []string) (err error) {
	waiting, err := OpenFrontier(frontier)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, waiting.Close()) }()
	q, err := queue.New(threads, waiting)
	if err != nil {
		return err
	}
	c := colly.NewCollector()
	if err := c.SetStorage(visited); err != nil {
		return err
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		link := e.Request.AbsoluteURL(e.Attr("href"))
		if seen, err := c.HasVisited(link); err != nil || seen {
			return
		}
		if err := q.AddURL(link); err != nil {
			panic(err)
		}
	})
	c.OnScraped(func(r *colly.Response) { fmt.Println(r.Request.URL.RequestURI()) })
	for _, url := range starts {
		if err := q.AddURL(url); err != nil {
			return err
		}
	}
	return q.Run(c)
}

// A crawler is killed again and again while pages are being fetched, and started
// anew. No page is fetched twice. All that is missing in the end are pages that
// were in flight when it was killed, and what only those link to.
func TestAKilledCrawlGoesOn(t *testing.T) {
	if !canShare {
		t.Skip("this system cannot share filter files")
	}
	s := newSite(t, fewer(300, 60))
	dir := t.TempDir()
	kills, each := fewer(8, 3), fewer(100, 50)
	done := map[string]bool{} // by a crawler that said so
	run := func(kill bool) (fetches int) {
		t.Helper()
		begun := make(chan struct{}, 1) // a request is held
		fetches = 0
		s.mu.Lock()
		s.hold = func() bool {
			if fetches++; !kill || fetches <= each {
				return false
			}
			select {
			case begun <- struct{}{}:
			default:
			}
			return true
		}
		s.mu.Unlock()
		cmd := child(t, "file", filepath.Join(dir, "visited"), filepath.Join(dir, "frontier"), s.URL+"/page/0")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for lines := bufio.NewScanner(out); lines.Scan(); {
				done[lines.Text()] = true
			}
		}()
		select {
		case <-begun:
			cmd.Process.Kill()
		case <-ended:
		}
		<-ended
		if err := cmd.Wait(); kill == (err == nil) || kill && cmd.ProcessState.Exited() {
			t.Fatalf("the crawler was to be killed: %v; it ended: %v\n%s", kill, err, cmd.Stderr)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return fetches
	}
	for range kills {
		if n := run(true); n <= each {
			t.Fatalf("a crawler made %d fetches before it was killed, want more than %d", n, each)
		}
	}
	rest := run(false)
	if again := run(false); again != 0 {
		t.Errorf("a crawl that was done made %d fetches", again)
	}

	pages, repeated := s.fetched()
	if len(repeated) > 0 {
		t.Errorf("%d pages were fetched more than once: %q", len(repeated), repeated)
	}
	hit := map[string]bool{}
	for _, page := range pages {
		hit[page] = true
	}
	lost, unfinished := map[string]bool{}, 0
	for _, page := range pages {
		next := s.links(page)
		if target := s.target(page); target != "" {
			next = []string{target}
		} else if !done[page] {
			unfinished++
			continue // nobody may have seen its links
		}
		for _, link := range next {
			if !hit[link] {
				lost[link] = true
			}
		}
	}
	t.Logf("%d kills, %d pages fetched, %d of them by the last crawler; in flight at a kill: %d that were fetched and not read, %d that were not fetched",
		kills, len(pages), rest, unfinished, len(lost))
	if unfinished == 0 || unfinished+len(lost) > kills*threads {
		t.Errorf("%d pages in flight, want 1 to %d", unfinished+len(lost), kills*threads)
	}
}

// Crawlers in several processes share the file of visited pages; each has its own
// frontier. Together they fetch each page exactly once.
func TestCrawlersShareAFile(t *testing.T) {
	if !canShare {
		t.Skip("this system cannot share filter files")
	}
	s := newSite(t, fewer(300, 60))
	dir := t.TempDir()
	if err := crawlFromFiles(filepath.Join(dir, "alone"), filepath.Join(dir, "frontier"), s.starts()); err != nil {
		t.Fatal(err)
	}
	want, _ := s.fetched()
	shareCrawl(t, s, want, "file", filepath.Join(dir, "visited"))
}

// shareCrawl starts three crawlers, children that do what name says with the place
// of the pages, and compares what they fetch together.
func shareCrawl(t *testing.T, s *site, want []string, name, pages string) {
	t.Helper()
	dir := t.TempDir()
	var crawlers []*exec.Cmd
	for i := range 3 {
		cmd := child(t, name, append([]string{pages, filepath.Join(dir, fmt.Sprint("frontier", i))}, s.starts()...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		crawlers = append(crawlers, cmd)
	}
	for _, cmd := range crawlers {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, cmd.Stderr)
		}
	}
	mustBeOnce(t, s, want)
}
