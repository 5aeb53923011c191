package main

import (
	"context"
	"errors"

	"github.com/linebloom/linebloom/blocked"
	"golang.org/x/sync/singleflight"
)

// ErrAbsent is returned for keys that the store does not have.
var ErrAbsent = errors.New("no such key")

// A Store is slow, and what a Guard protects. Load returns ErrAbsent for a key that
// is not there.
type Store interface {
	Load(ctx context.Context, key string) (string, error)
	Save(ctx context.Context, key, value string) error
}

// A Guard is a cache in front of a store. It protects the store from two floods:
//
//   - Penetration: keys that are not there are in no cache, so each request for one
//     would reach the store. A filter of the store's keys answers them.
//   - Breakdown: when a hot key drops out of the cache, all who want it would load it
//     at once. One does, and the others wait for its result.
//
// It may be used by any number of goroutines. All writes to the store must go
// through Save, or the filter does not know their keys.
type Guard struct {
	store   Store
	filter  *blocked.AtomicFilter
	flights singleflight.Group
	cache   cache
}

// NewGuard returns a guard of a store whose keys are all in the filter. It caches at
// most limit keys.
func NewGuard(store Store, filter *blocked.AtomicFilter, limit int) *Guard {
	return &Guard{store: store, filter: filter, cache: cache{limit: limit, entries: make(map[string]entry)}}
}

// GetOrLoad returns the value of a key, from the store if it is not cached.
func (g *Guard) GetOrLoad(ctx context.Context, key string) (string, error) {
	if !g.filter.HasString(key) {
		return "", ErrAbsent // for certain
	}
	if e, ok := g.cache.get(key); ok {
		return e.value, e.err
	}
	// One caller who gives up must not take the result from the others, so the load
	// goes on without him. A store that can hang needs a timeout of its own.
	flight := g.flights.DoChan(key, func() (any, error) {
		return g.load(context.WithoutCancel(ctx), key)
	})
	select {
	case r := <-flight:
		return r.Val.(string), r.Err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// load is the flight of a key.
func (g *Guard) load(ctx context.Context, key string) (string, error) {
	// Who missed the cache before the last flight landed comes here after it.
	if e, ok := g.cache.get(key); ok {
		return e.value, e.err
	}
	began := g.cache.version()
	value, err := g.store.Load(ctx, key)
	// Absence is cached too: the filter says maybe to some absent keys, always to
	// the same ones. Other errors are not, the next caller tries again.
	if err == nil || errors.Is(err, ErrAbsent) {
		g.cache.put(key, entry{value, err}, began)
	}
	return value, err
}

// Save writes a key through to the store. Whoever asks after it has returned gets
// the new value.
func (g *Guard) Save(ctx context.Context, key, value string) error {
	// The filter first: it must never say no to a key that the store has.
	g.filter.AddString(key)
	err := g.store.Save(ctx, key, value)
	// Also after an error, which does not tell whether the store has it.
	g.cache.drop(key)
	g.flights.Forget(key)
	return err
}
