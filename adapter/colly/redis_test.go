package colly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/linebloom/linebloom/adapter/redis/redistest"
	goredis "github.com/redis/go-redis/v9"
)

// optionsOf are those of clients that fail at once without a server, and wait for
// one that is slow.
func optionsOf(addr string) *goredis.Options {
	return &goredis.Options{Addr: addr, MaxRetries: -1, DialerRetries: 1, ReadTimeout: time.Minute}
}

func connect(t testing.TB, addr string) *goredis.Client {
	client := goredis.NewClient(optionsOf(addr))
	t.Cleanup(func() { client.Close() })
	return client
}

// newRedis returns a strict storage in Redis.
func newRedis(t testing.TB, client *goredis.Client, o Options) *Storage {
	t.Helper()
	f, err := redis.OpenOrCreate(t.Context(), client, "pages", 10_000, 1e-8)
	if err != nil {
		t.Fatal(err)
	}
	return NewRedis(t.Context(), client, f, o)
}

// crawlFromRedis crawls with pages that crawlers on other machines visit too.
func crawlFromRedis(addr, frontier string, starts []string) error {
	client := goredis.NewClient(optionsOf(addr))
	defer client.Close()
	ctx := context.Background()
	f, err := redis.OpenOrCreate(ctx, client, "pages", 10_000, 1e-8)
	if err != nil {
		return err
	}
	return crawlFrom(NewRedis(ctx, client, f, Options{Strict: true}), frontier, starts)
}

// Crawlers in several processes share the pages in Redis. Together they fetch each
// exactly once.
func TestCrawlersShareRedis(t *testing.T) {
	addr := redistest.Start(t).Addr
	s := newSite(t, fewer(200, 60))
	crawl(t, s, &storage.InMemoryStorage{}, 1)
	want, _ := s.fetched()
	shareCrawl(t, s, want, "redis", addr)
}

// When the filter is lost, or its server, every page is unknown: nothing is
// fetched, and the errors say why.
func TestALostFilterFetchesNothing(t *testing.T) {
	server := redistest.Start(t)
	addr := server.Addr
	client := connect(t, addr)
	s := newSite(t, 10)
	var mu sync.Mutex
	var logged []error
	st := newRedis(t, client, Options{Strict: true, Log: func(_ []byte, v Verdict, err error) {
		mu.Lock()
		defer mu.Unlock()
		if v == Unknown {
			logged = append(logged, err)
		}
	}})
	c := collector(t, st)
	if err := c.Visit(s.URL + "/page/1"); err != nil {
		t.Fatal(err)
	}
	s.fetched()
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"/page/1", "/page/2"} {
		if err := c.Visit(s.URL + page); !errors.Is(err, redis.ErrFilterLost) {
			t.Errorf("%s after FLUSHALL: %v", page, err)
		}
	}
	if _, err := st.SeenString("x"); !errors.Is(err, redis.ErrFilterLost) {
		t.Errorf("Seen after FLUSHALL: %v", err)
	}
	server.Kill()
	var unknown *redis.UnknownError
	if err := st.Visited(3); !errors.As(err, &unknown) {
		t.Errorf("Visited without a server: %v", err)
	}
	if err := c.Visit(s.URL + "/page/3"); err == nil {
		t.Error("Visit without a server returned no error")
	}
	if pages, _ := s.fetched(); len(pages) > 0 {
		t.Errorf("fetched %q", pages)
	}
	if got := st.Counts(); got != (Counts{New: 1, Unknown: 5}) || len(logged) != 5 {
		t.Errorf("%+v, logged %v", got, logged)
	}
	u, _ := url.Parse(s.URL)
	if st.SetCookies(u, "a=1"); st.Cookies(u) != "" || len(logged) != 7 {
		t.Errorf("cookies without a server: %d errors were logged, want two more", len(logged))
	}
}

// Cookies in Redis are those of colly's own storage.
func TestCookiesInRedisAreThoseOfColly(t *testing.T) {
	addr := redistest.Start(t).Addr
	client := connect(t, addr)
	theirs := &storage.InMemoryStorage{}
	theirs.Init()
	sameCookies(t, newRedis(t, client, Options{Log: func(key []byte, v Verdict, err error) {
		t.Errorf("%s: %v, %v", key, v, err)
	}}), theirs)
	keys, err := client.Keys(t.Context(), "pages:cookies:*").Result()
	if err != nil || len(keys) != 5 { // example.com, example.org, two addresses, localhost
		t.Errorf("keys %q, %v", keys, err)
	}
	for _, key := range keys {
		if ttl := client.TTL(t.Context(), key).Val(); ttl <= 0 || ttl > cookieTTL {
			t.Errorf("%s stays for %v", key, ttl)
		}
	}
}

// One crawler logs in, the others are logged in, also one that starts later; and
// cookies that crawlers set at the same time are all kept.
func TestCrawlersShareTheirCookies(t *testing.T) {
	addr := redistest.Start(t).Addr
	u, _ := url.Parse("http://www.example.com/")
	var all sync.WaitGroup
	var want []string
	for i := range 8 {
		cookie := fmt.Sprintf("c%d=1", i)
		want = append(want, cookie)
		st := newRedis(t, connect(t, addr), Options{})
		all.Go(func() { st.SetCookies(u, cookie+"; Domain=example.com; Path=/") })
	}
	all.Wait()
	other, _ := url.Parse("https://other.example.com/a")
	got := strings.Split(newRedis(t, connect(t, addr), Options{}).Cookies(other), "\n")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("cookies %q, want %q", got, want)
	}
}

// Max-Age counts from when the cookie arrived, not from when it is asked for.
func TestCookiesInRedisExpire(t *testing.T) {
	addr := redistest.Start(t).Addr
	client := connect(t, addr)
	st := newRedis(t, client, Options{})
	u, _ := url.Parse("http://www.example.com/")
	st.SetCookies(u, "old=1; Max-Age=60")
	st.SetCookies(u, "young=1; Max-Age=60")
	const key, field = "pages:cookies:example.com", "www.example.com;/;old"
	record, err := client.HGet(t.Context(), key, field).Result()
	if err != nil {
		t.Fatal(err)
	}
	var c cookieRecord
	if err := json.Unmarshal([]byte(record), &c); err != nil {
		t.Fatal(err)
	}
	c.At = c.At.Add(-time.Minute)
	older, _ := json.Marshal(c)
	if err := client.HSet(t.Context(), key, field, older).Err(); err != nil {
		t.Fatal(err)
	}
	if got := st.Cookies(u); got != "young=1" {
		t.Errorf("cookies %q, want only the young one", got)
	}
}

// A host cannot overwrite or remove the cookies of another one.
func TestCookiesOfOthersAreSafe(t *testing.T) {
	addr := redistest.Start(t).Addr
	st := newRedis(t, connect(t, addr), Options{})
	a, _ := url.Parse("http://a.example.com/")
	b, _ := url.Parse("http://b.example.com/")
	st.SetCookies(a, "session=1; Path=/")
	st.SetCookies(b, "session=2; Path=/; Domain=a.example.com")
	st.SetCookies(b, "session=; Path=/; Domain=a.example.com; Max-Age=0")
	if got := st.Cookies(a); got != "session=1" {
		t.Errorf("the cookie is %q", got)
	}
	if got := st.Cookies(b); got != "" {
		t.Errorf("the other host has %q", got)
	}
}

// A real collector carries a site's cookie to the next page, and another one on
// another connection does too.
func TestCollectorsSendCookiesFromRedis(t *testing.T) {
	addr := redistest.Start(t).Addr
	s := newSite(t, 10)
	for _, pages := range [][]string{{"/login", "/page/1"}, {"/page/2"}} {
		c := collector(t, newRedis(t, connect(t, addr), Options{}))
		sent := ""
		c.OnResponse(func(r *colly.Response) { sent = r.Headers.Get("X-Cookie") })
		for _, page := range pages {
			if err := c.Visit(s.URL + page); err != nil {
				t.Fatal(err)
			}
		}
		if sent != "session=42" {
			t.Errorf("%q: the site got the cookie %q", pages, sent)
		}
	}
}
