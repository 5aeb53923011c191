package colly

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// Ids are hashed before they choose bits: those of a counter do no harm, nor do
// those that differ only in the upper half. As hashes themselves they would.
func TestTheIdsAreMixed(t *testing.T) {
	n := uint64(fewer(200_000, 50_000))
	const rate = 0.01
	for name, id := range map[string]func(i uint64) uint64{
		"a counter":      func(i uint64) uint64 { return i },
		"the upper half": func(i uint64) uint64 { return i << 32 },
		"FNV of URLs":    func(i uint64) uint64 { return idOf(fmt.Sprintf("http://example.com/page/%d", i)) },
	} {
		f, err := blocked.NewAtomic(n, rate)
		if err != nil {
			t.Fatal(err)
		}
		st := NewMemory(f, Options{})
		for i := range n {
			if err := st.Visited(id(i)); err != nil {
				t.Fatal(err)
			}
		}
		wrong := 0
		for i := range n {
			if seen, _ := st.IsVisited(id(i)); !seen {
				t.Fatalf("%s: id %d is lost", name, i)
			}
			if seen, _ := st.IsVisited(id(n + i)); seen {
				wrong++
			}
		}
		got := float64(wrong) / float64(n)
		t.Logf("%s: rate %.4f", name, got)
		if got > 1.1*rate {
			t.Errorf("%s: rate %.4f, want at most %g", name, got, rate)
		}
	}
	raw, err := blocked.NewAtomic(n, rate)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		raw.AddHash(i << 32)
	}
	if !raw.HasHash(2 * n << 32) {
		t.Error("ids in the upper half are good hashes: this test shows nothing")
	}
}

// Of all goroutines that ask about a fingerprint at the same time one is told that
// it is new.
func TestSeenIsExactlyOnce(t *testing.T) {
	const goroutines, keys = 8, 2000
	var logged atomic.Int64
	st := NewMemory(newMemory(t), Options{Log: func(key []byte, v Verdict, err error) {
		if len(key) == 0 || v != Filtered || err != nil {
			t.Errorf("Log got %q, %v, %v", key, v, err)
		}
		logged.Add(1)
	}})
	var owners [keys]atomic.Int32
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for i := range keys {
				seen, err := st.SeenString(fmt.Sprint("fingerprint ", i))
				if err != nil {
					t.Error(err)
				}
				if !seen {
					owners[i].Add(1)
				}
			}
		})
	}
	all.Wait()
	for i := range owners {
		if n := owners[i].Load(); n != 1 {
			t.Errorf("fingerprint %d was new to %d", i, n)
		}
	}
	want := Counts{New: keys, Filtered: (goroutines - 1) * keys}
	if got := st.Counts(); got != want || uint64(logged.Load()) != want.Filtered {
		t.Errorf("%+v, %d logged, want %+v", got, logged.Load(), want)
	}
}

// An id is the fingerprint of its eight little-endian bytes, which Log gets.
func TestIdsAndFingerprintsAreOneSet(t *testing.T) {
	var keys [][]byte
	var verdicts []Verdict
	st := NewMemory(newMemory(t), Options{Log: func(key []byte, v Verdict, _ error) {
		keys, verdicts = append(keys, slices.Clone(key)), append(verdicts, v)
	}})
	const id = 0x0123456789abcdef
	key := binary.LittleEndian.AppendUint64(nil, id)
	if seen, err := st.Seen(key); seen || err != nil {
		t.Fatal(seen, err)
	}
	if seen, err := st.IsVisited(id); !seen || err != nil {
		t.Errorf("IsVisited: %v, %v", seen, err)
	}
	if err := st.Visited(id); err != nil {
		t.Errorf("Visited, not strict: %v", err)
	}
	st.options.Strict = true
	if err := st.Visited(id); !errors.Is(err, ErrVisited) {
		t.Errorf("Visited, strict: %v", err)
	}
	if want := []Verdict{Filtered, Repeated, Filtered}; !slices.Equal(verdicts, want) || !slices.EqualFunc(keys, [][]byte{key, key, key}, slices.Equal) {
		t.Errorf("Log got %x, %v; want %v", keys, verdicts, want)
	}
	if got, want := st.Counts(), (Counts{New: 1, Filtered: 2, Repeated: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if s := fmt.Sprint(New, Filtered, Repeated, Unknown, Verdict(9)); s != "new filtered repeated unknown Verdict(9)" {
		t.Errorf("verdicts are %s", s)
	}
}

// The seed of the filter is that of the hashes: who asks the filter itself about
// an id, or opens the file later, gets the same answers.
func TestTheSeedIsThatOfTheFilter(t *testing.T) {
	f, err := blocked.NewAtomic(1000, 1e-8, blocked.WithSeed(42))
	if err != nil {
		t.Fatal(err)
	}
	st := NewMemory(f, Options{})
	if err := st.Visited(7); err != nil {
		t.Fatal(err)
	}
	st.SeenString("page")
	if !f.HasUint64(7) || !f.HasString("page") {
		t.Error("the filter does not have what was visited")
	}
	if !canShare {
		return
	}
	path := filepath.Join(t.TempDir(), "visited")
	for i := range uint64(3) {
		f, err := filterfile.OpenOrCreate(path, 1000, 1e-8, blocked.WithSeed(43))
		if err != nil {
			t.Fatal(err)
		}
		st := NewFile(f, Options{Strict: true})
		for id := range i {
			if err := st.Visited(id); !errors.Is(err, ErrVisited) {
				t.Errorf("id %d is lost: %v", id, err)
			}
		}
		if err := st.Visited(i); err != nil || !f.HasUint64(i) {
			t.Errorf("id %d: %v", i, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Cookies are those of colly's own storage.
func TestCookiesAreThoseOfColly(t *testing.T) {
	ours, theirs := NewMemory(newMemory(t), Options{}), &storage.InMemoryStorage{}
	theirs.Init()
	sameCookies(t, ours, theirs)
}

// sameCookies sets cookies of all kinds in both storages and compares what they
// give back, for which the order has no meaning.
func sameCookies(t *testing.T, ours, theirs storage.Storage) {
	t.Helper()
	urls := []string{
		"http://example.com/", "https://example.com/", "http://www.example.com/a/b", "http://www.example.com/a/",
		"http://other.example.com:8080/a", "http://example.org/", "http://127.0.0.1:80/x/y", "http://localhost/", "http://[::1]/",
	}
	check := func(when string) {
		t.Helper()
		for _, raw := range urls {
			u, err := url.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			got, want := storage.UnstringifyCookies(ours.Cookies(u)), storage.UnstringifyCookies(theirs.Cookies(u))
			a, b := make([]string, len(got)), make([]string, len(want))
			for i, c := range got {
				a[i] = c.String()
			}
			for i, c := range want {
				b[i] = c.String()
			}
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Errorf("%s: cookies for %s are %q, want %q", when, raw, a, b)
			}
		}
	}
	check("at first")
	for i, cookies := range []string{
		"a=1", "a=2; Path=/", "b=1; Domain=example.com", "b=2; Domain=www.example.com; Path=/a", "c=1; Secure",
		"d=1; Max-Age=3600\ne=1; Expires=Wed, 01 Jan 2200 00:00:00 GMT", "d=; Max-Age=0", "e=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
		"f=1; Domain=.EXAMPLE.com; HttpOnly", "g=1; Domain=example.net", "a=3; Path=/a", "b=; Max-Age=-1; Domain=example.com", "h=\"x y\"; Path=/x",
		"", "not a cookie",
	} {
		for j, raw := range urls {
			if (i+j)%3 == 2 && i > 4 {
				continue
			}
			u, _ := url.Parse(raw)
			ours.SetCookies(u, cookies)
			theirs.SetCookies(u, cookies)
			check(fmt.Sprintf("after %q for %s", cookies, raw))
		}
	}
}
