// Command crawler crawls a site and fetches no page twice: not in several threads,
// not after it was killed and started again (-storage file), and not together with
// crawlers on other machines (-storage redis). Without an argument it crawls a site
// of its own, which has links in circles, redirects and pages with queries.
//
//	crawler                         the built-in site, pages in memory
//	crawler -storage file           kill it and start it again: it goes on
//	crawler -storage redis          start several at the same time
//	crawler https://example.com/    a real site, slowly, as its robots.txt allows
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
)

// config is what the flags say.
type config struct {
	storage  string // memory, file or redis
	file     string // of the visited pages
	redis    string // URL of a server
	name     string // of the filter in Redis
	frontier string // file of what is still to be visited; may be empty
	capacity uint64
	rate     float64
	threads  int
	pages    int // of the built-in site
	slowly   bool
}

func main() {
	var c config
	flag.StringVar(&c.storage, "storage", "memory", "where visited pages are kept: memory, file or redis")
	flag.StringVar(&c.file, "file", "visited.lbf", "file of the visited pages, which several crawlers may share")
	flag.StringVar(&c.redis, "redis", "redis://localhost:6379/0", "server of the visited pages")
	flag.StringVar(&c.name, "name", "visited", "name of the visited pages on the server")
	flag.StringVar(&c.frontier, "frontier", "", "file of what is still to be visited, for this crawler alone\n(default with -storage file: the name of that file and .frontier)")
	flag.Uint64Var(&c.capacity, "capacity", 1_000_000, "pages to make room for")
	flag.Float64Var(&c.rate, "rate", 1e-6, "pages that may be missed, being taken for others")
	flag.IntVar(&c.threads, "threads", 4, "pages that are fetched at the same time")
	flag.IntVar(&c.pages, "pages", 500, "size of the built-in site")
	flag.BoolVar(&c.slowly, "slowly", false, "let the built-in site take 50 ms for each page")
	flag.Parse()
	if err := run(os.Stdout, c, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// run crawls the site at start, or the built-in one.
func run(out io.Writer, cfg config, start string) error {
	visited, err := open(cfg)
	if err != nil {
		return err
	}
	defer visited.close()
	var local *site
	if start == "" {
		if local, err = serve(cfg.pages, cfg.slowly); err != nil {
			return err
		}
		defer local.close()
		start = home
	}
	urlBytes, err := crawl(cfg, visited.Storage, local, start)
	if err != nil {
		return err
	}

	n := visited.Counts()
	fmt.Fprintf(out, "%s, %d threads\n", start, cfg.threads)
	fmt.Fprintf(out, "  %d pages fetched, %d duplicates refused\n", n.New, n.Filtered)
	if local != nil {
		fmt.Fprintf(out, "  the site was asked for %d pages, for %d of them more than once\n", local.fetched(), local.repeated())
	}
	fmt.Fprintf(out, "  %.2f bytes per URL, with room for %d URLs and a false positive rate of %g\n",
		visited.bytes/float64(visited.capacity), visited.capacity, visited.rate)
	if urlBytes > 0 {
		fmt.Fprintf(out, "  the URLs themselves have %.0f bytes on average\n", urlBytes)
	}
	return visited.close()
}
