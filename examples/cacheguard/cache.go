package main

import "sync"

// A cache holds what was loaded: values, and which keys are absent.
type cache struct {
	mu      sync.Mutex
	entries map[string]entry
	limit   int
	dropped uint64
}

type entry struct {
	value string
	err   error // nil, or wraps ErrAbsent
}

func (c *cache) get(key string) (entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e, ok
}

// version changes with each drop.
func (c *cache) version() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dropped
}

// put caches what was loaded since the given version, unless some key was dropped
// meanwhile: it might be this one, and its value old.
func (c *cache) put(key string, e entry, version uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dropped != version {
		return
	}
	if len(c.entries) >= c.limit {
		for other := range c.entries { // any: a real cache chooses better
			delete(c.entries, other)
			break
		}
	}
	c.entries[key] = e
}

func (c *cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropped++
	delete(c.entries, key)
}
