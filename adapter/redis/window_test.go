package redis

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/redis/go-redis/v9"
)

func TestAWindowForgetsWithItsGenerations(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	w, err := CreateWindow(ctx, client, "w", 3, 1000, 1e-6, withShards(640))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateWindow(ctx, client, "w", 3, 1000, 1e-6); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating what is there: %v", err)
	}
	// Another client, which does not know of the rotations.
	other, err := OpenWindow(ctx, client, "w")
	if err != nil {
		t.Fatal(err)
	}
	for g := range uint64(8) {
		if v, err := w.TestAndAddUint64(ctx, g); v != New || err != nil {
			t.Fatalf("key %d: %v, %v", g, v, err)
		}
		for _, x := range []*Window{other, w} {
			for key := range g + 1 {
				want := key+3 > g
				if has, err := x.HasUint64(ctx, key); has != want || err != nil {
					t.Fatalf("generation %d: key %d is %v (%v), want %v", g+1, key, has, err, want)
				}
			}
		}
		if v, err := other.TestAndAddUint64(ctx, g); v != Seen || err != nil {
			t.Fatalf("key %d again: %v, %v", g, v, err)
		}
		if err := w.Rotate(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.AddUint64(ctx, 100); err != nil {
		t.Fatal(err)
	}
	if has, err := w.HasUint64(ctx, 100); !has || err != nil {
		t.Errorf("a key that a client added which was late: %v, %v", has, err)
	}
	if keep, current := other.Generations(); keep != 3 || current != 9 {
		t.Errorf("%d generations, current %d", keep, current)
	}
	infos, err := w.Info(ctx)
	if err != nil || len(infos) != 3 || infos[0].EstimateCount() < 0.9 || infos[1].EstimateCount() < 0.9 {
		t.Errorf("%+v, %v", infos, err)
	}
	if err := DropWindow(ctx, client, "w"); err != nil {
		t.Fatal(err)
	}
	if n := client.DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d keys are left: %v", n, client.Keys(ctx, "*").Val())
	}
	if has, err := w.HasUint64(ctx, 100); !has || !errors.Is(err, ErrFilterLost) {
		t.Errorf("a window that is gone: %v, %v", has, err)
	}
}

// Clients test and add the same keys while others rotate. Within the window no key
// is new twice.
func TestNoKeyIsNewTwiceWhileAWindowRotates(t *testing.T) {
	server := redistest.Start(t)
	if _, err := CreateWindow(ctx, server.Client(nil), "w", 1000, 20_000, 1e-7, withShards(4096)); err != nil {
		t.Fatal(err)
	}
	const clients, keys, batch = 4, 3000, 10
	var mu sync.Mutex
	news := make(map[uint64]int)
	var wg sync.WaitGroup
	for c := range clients {
		w, err := OpenWindow(ctx, server.Client(nil), "w")
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			verdicts := make([]Verdict, batch)
			for from := uint64(0); from < keys; from += batch {
				var part []uint64
				for i := range uint64(batch) {
					part = append(part, from+i)
				}
				if _, err := w.TestAndAddUint64s(ctx, verdicts, part); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for i, v := range verdicts {
					if v == New {
						news[part[i]]++
					}
				}
				mu.Unlock()
				// All clients but one rotate, some at the same time.
				if c > 0 && from%300 == 0 {
					if err := w.Rotate(ctx); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	for key := range uint64(keys) {
		if news[key] != 1 {
			t.Errorf("key %d was new %d times", key, news[key])
		}
	}
	w, _ := OpenWindow(ctx, server.Client(nil), "w")
	_, current := w.Generations()
	t.Logf("%d rotations", current-1)
}

// A client that rotates dies after every step that it takes. The window works, and
// who adds next finishes.
func TestARotationThatStopsInTheMiddleIsFinished(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	w, err := CreateWindow(ctx, client, "w", 2, 100, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := w.TestAndAddString(ctx, "a"); v != New || err != nil {
		t.Fatal(v, err)
	}
	// It has made the next generation, and frozen the current one.
	if _, err := w.generation(ctx, w.now.Load().record, 2); err != nil {
		t.Fatal(err)
	}
	if err := w.now.Load().filters[0].freeze(ctx); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"a": true, "b": false} {
		if has, err := w.HasString(ctx, key); has != want || err != nil {
			t.Errorf("%s: %v, %v", key, has, err)
		}
	}
	if _, current := w.Generations(); current != 1 {
		t.Errorf("readers rotated to %d", current)
	}
	if v, err := w.TestAndAddString(ctx, "a"); v != Seen || err != nil {
		t.Error(v, err)
	}
	if v, err := w.TestAndAddString(ctx, "b"); v != New || err != nil {
		t.Error(v, err)
	}
	if _, current := w.Generations(); current != 2 {
		t.Errorf("the generation is %d, want 2", current)
	}
	if err := w.AddString(ctx, "c"); err != nil {
		t.Error(err)
	}
}

// beforeWrites is a hook that calls do once, between reading and writing.
type beforeWrites struct {
	redis.Hook
	do func()
}

func (h *beforeWrites) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (h *beforeWrites) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (h *beforeWrites) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if do := h.do; do != nil && cmds[0].Name() == "bitfield" {
			h.do = nil
			do()
		}
		return next(ctx, cmds)
	}
}

// Others rotate, once or so often that the generation is gone, after a client has
// looked for a key and before it adds it.
func TestRotationsBetweenReadingAndWriting(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(nil)
	w, err := CreateWindow(ctx, client, "w", 3, 1000, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for rotations := range 6 {
		for _, otherFirst := range []bool{false, true} {
			late := server.Client(nil)
			hook := &beforeWrites{}
			late.AddHook(hook)
			l, err := OpenWindow(ctx, late, "w")
			if err != nil {
				t.Fatal(err)
			}
			key := uint64(rotations)<<8 + 1
			if otherFirst {
				key++
			}
			hook.do = func() {
				for range rotations {
					if err := w.Rotate(ctx); err != nil {
						t.Error(err)
					}
				}
				if otherFirst {
					if v, err := w.TestAndAddUint64(ctx, key); v != New || err != nil {
						t.Errorf("%d rotations: the other got %v, %v", rotations, v, err)
					}
				}
			}
			want := New
			if otherFirst {
				want = Seen
			}
			if v, err := l.TestAndAddUint64(ctx, key); v != want || err != nil {
				t.Errorf("%d rotations: %v, %v, want %v", rotations, v, err, want)
			}
			if has, err := w.HasUint64(ctx, key); !has || err != nil {
				t.Errorf("%d rotations: the key is there: %v, %v", rotations, has, err)
			}
		}
	}
	if err := w.Rotate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.Rotate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := DropWindow(ctx, client, "w"); err != nil {
		t.Fatal(err)
	}
	if n := client.DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d keys are left: %v", n, client.Keys(ctx, "*").Val())
	}
}

// Others rotate in the moment before a key is written, several times in a row, and
// look for the key in between. Whoever sees its bits in a frozen generation is told
// that it was seen; so the one who set them must get New in the end.
func TestAKeyThatMeetsSeveralRotationsIsNewToSomebody(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(nil)
	w, err := CreateWindow(ctx, client, "w", 10, 1000, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	late := server.Client(nil)
	hook := &beforeWrites{}
	late.AddHook(hook)
	l, err := OpenWindow(ctx, late, "w")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		key, left := uint64(n), n
		var rotate func()
		rotate = func() {
			if err := w.Rotate(ctx); err != nil {
				t.Error(err)
			}
			if left--; left > 0 {
				hook.do = rotate // before the next attempt
			}
		}
		if n > 0 {
			hook.do = rotate
		}
		if v, err := l.TestAndAddUint64(ctx, key); v != New || err != nil {
			t.Errorf("%d rotations: %v, %v", n, v, err)
		}
		if v, err := w.TestAndAddUint64(ctx, key); v != Seen || err != nil {
			t.Errorf("%d rotations, afterwards: %v, %v", n, v, err)
		}
	}
}
