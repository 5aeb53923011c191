package redis

import (
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// An Option changes how a filter is made or used.
type Option func(*config)

type config struct {
	sizing         []blocked.Option
	replace        bool
	ttl            time.Duration
	acceptEviction bool
	unknownAs      Verdict
	wait           wait
	shardLimit     uint64
	err            error
}

// A wait asks the server to wait until others have what was written.
type wait struct {
	aof             bool
	local, replicas int
	timeout         time.Duration
}

// WithSizing passes options of package blocked, such as blocked.WithSeed and
// blocked.WithMaxBytes, to Create, OpenOrCreate and CreateWindow.
func WithSizing(opts ...blocked.Option) Option {
	return func(c *config) { c.sizing = append(c.sizing, opts...) }
}

// Replace lets Create and Load replace a filter that is there already, ready or
// not. Clients of the old one get ErrFilterLost.
func Replace() Option { return func(c *config) { c.replace = true } }

// WithTTL makes a new filter expire, all its keys at the same time. See
// Filter.Expire.
func WithTTL(ttl time.Duration) Option {
	return func(c *config) {
		c.ttl = ttl
		if ttl < time.Millisecond {
			c.err = invalid("time to live of %v, want at least 1 ms", ttl)
		}
	}
}

// AcceptEviction uses a server although it may evict the filter, or does not say
// whether it may. Without it servers are refused whose maxmemory-policy is one of
// allkeys-*, or one of volatile-* when the filter has a time to live. A filter
// that was evicted is an error, ErrFilterLost, with and without this option.
func AcceptEviction() Option { return func(c *config) { c.acceptEviction = true } }

// WithUnknownAs sets the verdict of TestAndAdd on keys whose answer did not
// arrive. By default it is Unknown, and an error names the keys. With New the
// caller would rather do something twice, with Seen rather not at all, and there
// is no error. Refusals of the server and a lost filter stay errors.
func WithUnknownAs(v Verdict) Option {
	return func(c *config) {
		c.unknownAs = v
		if v > Seen {
			c.err = invalid("verdict %d, want New, Seen or Unknown", v)
		}
	}
}

// WithWait makes Add and TestAndAdd wait, after writing, until so many replicas
// have what was written, with the command WAIT. If fewer do in time the error
// wraps ErrNotReplicated. The timeout must be shorter than the client's
// ReadTimeout. Keys that were seen cause no writing and no waiting.
func WithWait(replicas int, timeout time.Duration) Option {
	return withWait(wait{replicas: replicas, timeout: timeout})
}

// WithWaitAOF is WithWait until what was written is on disk, in the append-only
// file of so many servers: local is 0 or 1 for the server itself. It needs
// Redis 7.2 or newer, with the command WAITAOF.
func WithWaitAOF(local, replicas int, timeout time.Duration) Option {
	return withWait(wait{aof: true, local: local, replicas: replicas, timeout: timeout})
}

func withWait(w wait) Option {
	return func(c *config) {
		c.wait = w
		if w.local < 0 || w.local > 1 || w.replicas < 0 || w.local+w.replicas == 0 || w.timeout < time.Millisecond {
			c.err = invalid("waiting %v for %d local and %d replicas, want a time and a server", w.timeout, w.local, w.replicas)
		}
	}
}

func newConfig(opts []Option) (config, error) {
	c := config{shardLimit: maxShard}
	for _, o := range opts {
		o(&c)
	}
	return c, c.err
}
