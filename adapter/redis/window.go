package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// A Window is a filter in Redis that forgets: a number of generations, each a
// Filter of its own, of which keys are added to the newest and looked for in all.
// Rotate begins a new generation and drops the oldest. It may be used by any number
// of goroutines and clients, which notice by themselves that somebody rotated: no
// key is new twice within the window because of that, and none is missed.
type Window struct {
	byKey
	servers servers
	config  config
	name    string
	id      [16]byte
	now     atomic.Pointer[generations]
}

// generations are those of a window at some moment, the newest first.
type generations struct {
	record  windowRecord
	filters []*Filter
}

func (g *generations) oldest() uint64 {
	return g.record.current - min(g.record.current, uint64(g.record.keep)) + 1
}

// CreateWindow makes a window that keeps so many generations, 2 to 1000, of which
// each is made for capacity keys. A look-up is wrong at most at the rate of all
// of them together, generations times fpRate. If there is a window of that name
// the error wraps fs.ErrExist. If its key was lost, its generations are left where
// they are, and the new window has nothing to do with them.
func CreateWindow(ctx context.Context, client redis.UniversalClient, name string, keep int, capacity uint64, fpRate float64, opts ...Option) (*Window, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	if keep < 2 || keep > maxGenerations {
		return nil, invalid("%d generations, want 2 to %d", keep, maxGenerations)
	}
	if c.ttl > 0 || c.replace {
		return nil, invalid("a window with a time to live, or in place of another; want neither")
	}
	p, err := blocked.ParamsFor(capacity, fpRate, c.sizing...)
	if err != nil {
		return nil, err
	}
	r := windowRecord{keep: keep, current: 1, header: newRecord(p, capacity, fpRate, c).header}
	rand.Read(r.id[:]) // never fails
	if _, err := readWindowRecord(ctx, s.universal(), name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("linebloom: window %s: %w", shorten(name), fs.ErrExist)
		}
		return nil, err
	}
	w := &Window{servers: s, config: c, name: name, id: r.id}
	f, err := w.generation(ctx, r, 1)
	if err != nil {
		return nil, err
	}
	ok, err := s.universal().SetNX(ctx, windowKey(name), r.append(nil), 0).Result()
	if err == nil && !ok { // somebody else was faster
		exists := fmt.Errorf("linebloom: window %s: %w", shorten(name), fs.ErrExist)
		err = errors.Join(exists, f.Drop(ctx))
	}
	if err != nil {
		return nil, err
	}
	return openWindow(ctx, s, name, c)
}

// OpenWindow opens a window that is in Redis. If there is none the error wraps
// fs.ErrNotExist.
func OpenWindow(ctx context.Context, client redis.UniversalClient, name string, opts ...Option) (*Window, error) {
	s, c, err := prepare(client, name, opts)
	if err != nil {
		return nil, err
	}
	return openWindow(ctx, s, name, c)
}

func openWindow(ctx context.Context, s servers, name string, c config) (*Window, error) {
	if err := c.check(ctx, s, false); err != nil {
		return nil, err
	}
	r, err := readWindowRecord(ctx, s.universal(), name)
	if err != nil {
		return nil, err
	}
	w := &Window{servers: s, config: c, name: name, id: r.id}
	w.byKey = byKey{w, r.header.Seed}
	_, err = w.refresh(ctx, nil)
	return w, err
}

// refresh reads which generations there are and reports whether they are others
// than before.
func (w *Window) refresh(ctx context.Context, before *generations) (changed bool, err error) {
	for {
		r, err := readWindowRecord(ctx, w.servers.universal(), w.name)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && r.id != w.id:
			return false, lost(windowKey(w.name), "is not there, or that of another window")
		case err != nil:
			return false, err
		case before != nil && r.current == before.record.current:
			return false, nil
		}
		g := &generations{record: r}
		for n := r.current; err == nil && n >= g.oldest(); n-- {
			var f *Filter
			if f, err = w.open(ctx, before, n); err == nil {
				g.filters = append(g.filters, f)
			}
		}
		if err == nil {
			w.now.Store(g)
			return true, nil
		}
		// A generation that is not there may have been dropped meanwhile.
		if again, err2 := readWindowRecord(ctx, w.servers.universal(), w.name); err2 != nil || again.current == r.current {
			if errors.Is(err, fs.ErrNotExist) {
				err = lost(metaKey(generationName(w.name, w.id, r.current-uint64(len(g.filters)))), "is not there")
			}
			return false, err
		}
	}
}

// open returns generation n, which may be among those that are open already.
func (w *Window) open(ctx context.Context, known *generations, n uint64) (*Filter, error) {
	name := generationName(w.name, w.id, n)
	if known != nil {
		if i := slices.IndexFunc(known.filters, func(f *Filter) bool { return f.name == name }); i >= 0 {
			return known.filters[i], nil
		}
	}
	r, _, err := readRecord(ctx, w.servers, name)
	if err == nil && !r.ready {
		err = fmt.Errorf("linebloom: %w: %s", ErrNotReady, shorten(name))
	}
	if err != nil {
		return nil, err
	}
	return newFilter(w.servers, name, w.config, r), nil
}

// Name returns the window's name.
func (w *Window) Name() string { return w.name }

// Generations returns how many generations are kept and the number of the newest,
// which began as 1, as far as this client knows.
func (w *Window) Generations() (keep int, current uint64) {
	r := w.now.Load().record
	return r.keep, r.current
}

// Info returns what is known of each generation, the newest first.
func (w *Window) Info(ctx context.Context) ([]Info, error) {
	if _, err := w.refresh(ctx, w.now.Load()); err != nil {
		return nil, err
	}
	var infos []Info
	for _, f := range w.now.Load().filters {
		info, err := f.Info(ctx)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}
