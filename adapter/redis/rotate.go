package redis

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// Rotate begins a new generation and drops the oldest if there are too many. The
// new one is made first; then every shard of the current one is marked as frozen;
// then the window's key names the new one. Of several clients that rotate at the
// same time one does, and the others get no error. A client that dies in the
// middle leaves a window that works, and that whoever adds next goes on rotating.
func (w *Window) Rotate(ctx context.Context) error {
	r, err := readWindowRecord(ctx, w.servers.universal(), w.name)
	if err != nil {
		return err
	}
	if r.id != w.id {
		return lost(windowKey(w.name), "is that of another window")
	}
	return w.rotate(ctx, r)
}

// rotate goes from the generation that r names to the next. Every step can be done
// again by somebody else.
func (w *Window) rotate(ctx context.Context, r windowRecord) error {
	if _, err := w.generation(ctx, r, r.current+1); err != nil {
		return err
	}
	f, err := w.open(ctx, w.now.Load(), r.current)
	if err == nil {
		err = f.freeze(ctx)
	}
	if err == nil {
		err = w.advance(ctx, r.current)
	}
	changed, refreshed := w.refresh(ctx, w.now.Load())
	if refreshed != nil {
		return errors.Join(err, refreshed)
	}
	g := w.now.Load()
	if err != nil && !(changed && g.record.current > r.current && errors.Is(err, ErrFilterLost)) {
		return err // otherwise others have rotated, and what is lost was dropped
	}
	// Besides the one that is too old now, remove what this client, if it was late,
	// has made or frozen after it was dropped.
	oldest := g.oldest()
	for _, n := range []uint64{oldest - 1, r.current, r.current + 1} {
		if n-1 < oldest-1 { // and not 0
			if err := drop(ctx, w.servers, generationName(w.name, w.id, n), len(g.filters[0].shards)); err != nil {
				return err
			}
		}
	}
	return nil
}

// generation makes generation n, or waits a second for somebody else who makes it.
func (w *Window) generation(ctx context.Context, r windowRecord, n uint64) (*Filter, error) {
	h := &r.header
	p := blocked.Params{Blocks: h.Blocks, K: h.K, Seed: h.Seed}
	name := generationName(w.name, w.id, n)
	for attempt := 0; ; attempt++ {
		f, err := create(ctx, w.servers, name, w.config, newRecord(p, h.Capacity, h.FPRate, w.config), nil)
		if errors.Is(err, fs.ErrExist) {
			f, err = w.open(ctx, nil, n)
		}
		if err == nil || !errors.Is(err, ErrNotReady) || attempt == 100 {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// freeze marks all shards. Who writes to one afterwards learns it from the answer.
func (f *Filter) freeze(ctx context.Context) error {
	err := f.servers.pipelined(ctx, len(f.shards), func(pipe redis.Pipeliner, i int) {
		pipe.SetRange(ctx, f.shards[i].key, f.shards[i].at+atState, string([]byte{frozen}))
	})
	if err != nil && !wrongType(err) {
		return err
	}
	return f.checkShards(ctx)
}

// DropWindow removes a window with its generations, whatever state it is in.
func DropWindow(ctx context.Context, client redis.UniversalClient, name string) error {
	s, _, err := prepare(client, name, nil)
	if err != nil {
		return err
	}
	r, err := readWindowRecord(ctx, s.universal(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.universal().Unlink(ctx, windowKey(name)).Err(); err != nil {
		return err
	}
	for n := r.current + 1; n > 0 && n+uint64(r.keep)+1 > r.current; n-- {
		if err := dropAny(ctx, s, generationName(name, r.id, n)); err != nil {
			return err
		}
	}
	return nil
}
