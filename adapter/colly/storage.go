package colly

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"

	"github.com/gocolly/colly/v2/storage"
	"github.com/linebloom/linebloom/blocked"
)

// ErrVisited is what Visited returns, if it is strict, for a request that was
// there already. Colly's Visit and its OnError callbacks pass it on, wrapped in
// what the HTTP client says if a redirect led to the page.
var ErrVisited = errors.New("already visited")

// A Filter keeps a set of keys, given by their hashes, for any number of
// goroutines at the same time. An error says that the answer is unknown: of
// TestAndAddHash also that the key may have been added or not.
type Filter interface {
	// Seed returns the seed of the hashes: that of blocked.HashKey.
	Seed() uint64

	// HasHash reports whether the key may have been added; false is certain.
	HasHash(h uint64) (bool, error)

	// TestAndAddHash adds the key and reports whether it may have been there
	// before. Of all concurrent calls with one key, in all processes that
	// share the set, at most one returns false.
	TestAndAddHash(h uint64) (bool, error)
}

// Options change how a Storage behaves. The zero Options are those of a storage
// that can stand wherever colly's own can.
type Options struct {
	// Strict makes Visited return ErrVisited when somebody else was first, so
	// that no page is fetched twice. The package's comment has its limits.
	Strict bool

	// Log, if not nil, is called for every key that was filtered or repeated,
	// and for every error of the filter. The key is the fingerprint, or the eight
	// little-endian bytes of colly's id; it must not be kept or changed. Any
	// number of goroutines call it at the same time.
	Log func(key []byte, v Verdict, err error)
}

// A Verdict is what a Storage says about a key.
type Verdict int

const (
	New      Verdict = iota // nobody had seen it: it is the caller's
	Filtered                // seen before: refused
	Repeated                // seen before, and let through by a Visited that is not strict
	Unknown                 // an error of the filter
)

// String returns the verdict's name.
func (v Verdict) String() string {
	if v < New || v > Unknown {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return [...]string{"new", "filtered", "repeated", "unknown"}[v]
}

// Counts are the numbers of verdicts since the Storage was made. A false answer of
// IsVisited is no verdict: the call of Visited that follows it is.
type Counts struct {
	New, Filtered, Repeated, Unknown uint64
}

// A Storage is a storage.Storage whose set of visited pages is a filter. Any number
// of collectors and goroutines may share it.
type Storage struct {
	filter  Filter
	options Options
	cookies cookies
	counts  [Unknown + 1]atomic.Uint64
}

var _ storage.Storage = (*Storage)(nil)

// cookies is the part of storage.Storage about them.
type cookies interface {
	Cookies(u *url.URL) string
	SetCookies(u *url.URL, cookies string)
}

// NewStorage returns a storage over any filter, with cookies in memory.
func NewStorage(f Filter, o Options) *Storage {
	jar := &storage.InMemoryStorage{}
	jar.Init() // the error is that of cookiejar.New, which has none
	return &Storage{filter: f, options: o, cookies: jar}
}

// Init does nothing: collectors that share a storage all call it.
func (s *Storage) Init() error { return nil }

// IsVisited reports whether colly's request with this id may have been visited. It
// adds nothing. Colly does not make a request of which the answer is an error.
func (s *Storage) IsVisited(id uint64) (bool, error) {
	key := keyOf(id)
	seen, err := s.filter.HasHash(blocked.HashUint64(s.filter.Seed(), id))
	if err != nil {
		s.say(key[:], Unknown, err)
		return false, err
	}
	if seen {
		s.say(key[:], Filtered, nil)
	}
	return seen, nil
}

// Visited adds colly's request with this id. Of all calls with one id one is the
// first; the others return ErrVisited if the storage is strict, and nil if not.
// An error of the filter is returned too: colly does not make the request then,
// and if the filter has it nobody ever will.
func (s *Storage) Visited(id uint64) error {
	key := keyOf(id)
	seen, err := s.filter.TestAndAddHash(blocked.HashUint64(s.filter.Seed(), id))
	switch {
	case err != nil:
		s.say(key[:], Unknown, err)
		return err
	case !seen:
		s.say(key[:], New, nil)
	case s.options.Strict:
		s.say(key[:], Filtered, nil)
		return fmt.Errorf("linebloom: request %#x: %w", id, ErrVisited)
	default:
		s.say(key[:], Repeated, nil)
	}
	return nil
}

// Seen adds a fingerprint and reports whether it may have been there before: false
// means that nobody had seen it, and that it is the caller's. It is for requests
// that do not come from colly, and for things to be done once that are not pages.
// An error leaves open what happened.
func (s *Storage) Seen(fingerprint []byte) (bool, error) {
	seen, err := s.filter.TestAndAddHash(blocked.HashKey(s.filter.Seed(), fingerprint))
	if err != nil {
		s.say(fingerprint, Unknown, err)
		return false, err
	}
	if seen {
		s.say(fingerprint, Filtered, nil)
	} else {
		s.say(fingerprint, New, nil)
	}
	return seen, nil
}

// SeenString is Seen of the bytes of a string.
func (s *Storage) SeenString(fingerprint string) (bool, error) { return s.Seen([]byte(fingerprint)) }

// Counts returns the numbers of verdicts so far.
func (s *Storage) Counts() Counts {
	return Counts{
		New: s.counts[New].Load(), Filtered: s.counts[Filtered].Load(),
		Repeated: s.counts[Repeated].Load(), Unknown: s.counts[Unknown].Load(),
	}
}

// Cookies returns the cookies for a URL as colly's in-memory storage does.
func (s *Storage) Cookies(u *url.URL) string { return s.cookies.Cookies(u) }

// SetCookies keeps cookies as colly's in-memory storage does.
func (s *Storage) SetCookies(u *url.URL, cookies string) { s.cookies.SetCookies(u, cookies) }

func (s *Storage) say(key []byte, v Verdict, err error) {
	s.counts[v].Add(1)
	if v != New && s.options.Log != nil {
		s.options.Log(key, v, err)
	}
}

// keyOf returns the bytes that blocked.HashUint64 hashes.
func keyOf(id uint64) (key [8]byte) {
	binary.LittleEndian.PutUint64(key[:], id)
	return key
}
