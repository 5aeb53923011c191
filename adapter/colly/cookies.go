package colly

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gocolly/colly/v2/storage"
	goredis "github.com/redis/go-redis/v9"
)

// cookieTTL is how long the cookies of a domain stay in Redis after one of them was
// set, so that those of crawls that are over go away.
const cookieTTL = 30 * 24 * time.Hour

// remoteCookies keeps cookies in Redis: a hash for each domain, in which each
// cookie has a field, so that crawlers that set different cookies at the same time
// do not undo each other's. What they mean is left to the cookie jar that colly's
// in-memory storage has: one is filled with the cookies of a domain to be asked.
type remoteCookies struct {
	ctx    context.Context
	client goredis.UniversalClient
	prefix string
	log    func(key []byte, v Verdict, err error)
}

// A cookieRecord is a cookie as it arrived.
type cookieRecord struct {
	URL string    // that set it
	Raw string    // a Set-Cookie header
	At  time.Time // from which Max-Age counts
}

func (r remoteCookies) Cookies(u *url.URL) string {
	fields, err := r.client.HGetAll(r.ctx, r.prefix+siteOf(hostOf(u))).Result()
	if err != nil {
		r.failed(u, err)
		return ""
	}
	records := make([]cookieRecord, 0, len(fields))
	for _, value := range fields {
		var c cookieRecord
		if err := json.Unmarshal([]byte(value), &c); err != nil {
			r.failed(u, err)
			continue
		}
		records = append(records, c)
	}
	slices.SortFunc(records, func(a, b cookieRecord) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Raw, b.Raw)) })
	jar, _ := cookiejar.New(nil) // no options, no error
	for _, record := range records {
		from, err := url.Parse(record.URL)
		if err != nil {
			r.failed(u, err)
			continue
		}
		cookies := storage.UnstringifyCookies(record.Raw)
		for _, c := range cookies {
			if c.MaxAge > 0 {
				c.Expires, c.MaxAge = record.At.Add(time.Duration(c.MaxAge)*time.Second), 0
			}
		}
		jar.SetCookies(from, cookies)
	}
	return storage.StringifyCookies(jar.Cookies(u))
}

func (r remoteCookies) SetCookies(u *url.URL, cookies string) {
	key, now := r.prefix+siteOf(hostOf(u)), time.Now()
	pipe := r.client.TxPipeline()
	for _, c := range storage.UnstringifyCookies(cookies) {
		field, ok := fieldOf(u, c)
		if !ok {
			continue
		}
		if c.MaxAge < 0 || c.MaxAge == 0 && !c.Expires.IsZero() && !c.Expires.After(now) {
			pipe.HDel(r.ctx, key, field)
			continue
		}
		value, _ := json.Marshal(cookieRecord{u.String(), c.Raw, now}) // strings and a time have no errors
		pipe.HSet(r.ctx, key, field, value)
	}
	if pipe.Len() == 0 {
		return
	}
	pipe.Expire(r.ctx, key, cookieTTL)
	if _, err := pipe.Exec(r.ctx); err != nil {
		r.failed(u, err)
	}
}

// failed reports an error for which colly's interface has no place.
func (r remoteCookies) failed(u *url.URL, err error) {
	if r.log != nil {
		r.log([]byte(u.String()), Unknown, err)
	}
}

// fieldOf returns what makes a cookie the same as another, by RFC 6265, section
// 5.3: its domain, path and name. A cookie for somebody else's domain is refused.
func fieldOf(u *url.URL, c *http.Cookie) (field string, ok bool) {
	host := hostOf(u)
	domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
	switch {
	case domain == "":
		domain = host
	case domain != host && (net.ParseIP(host) != nil || !strings.HasSuffix(host, "."+domain)):
		return "", false
	}
	path := c.Path
	if !strings.HasPrefix(path, "/") {
		path = "/"
		if i := strings.LastIndexByte(u.Path, '/'); i > 0 {
			path = u.Path[:i]
		}
	}
	return domain + ";" + path + ";" + c.Name, true
}

// hostOf returns the host of a URL as cookies see it.
func hostOf(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }

// siteOf returns the last two labels of a host, or an address as it is. All hosts
// that can see each other's cookies have the same, but for cookies of a top-level
// domain, which stay with those who set them.
func siteOf(host string) string {
	if net.ParseIP(host) != nil {
		return host
	}
	if i := strings.LastIndexByte(host, '.'); i > 0 {
		return host[strings.LastIndexByte(host[:i], '.')+1:]
	}
	return host
}
