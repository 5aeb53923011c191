package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestSavedValuesAreSeenUnderLoad(t *testing.T) {
	g, _ := newTestGuard(t, 10, 0)
	ctx := t.Context()
	if _, err := g.GetOrLoad(ctx, "new"); !errors.Is(err, ErrAbsent) {
		t.Fatal(err)
	}
	var saved atomic.Int64 // the last value that Save has returned for
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				oldest := saved.Load()
				v, err := g.GetOrLoad(ctx, "new")
				var got int64
				if err == nil {
					fmt.Sscan(v, &got)
				}
				if got < oldest {
					t.Errorf("%q, %v after %d was saved", v, err, oldest)
					return
				}
			}
		})
	}
	for i := int64(1); i <= 3000; i++ {
		if err := g.Save(ctx, "new", fmt.Sprint(i)); err != nil {
			t.Error(err)
		}
		saved.Store(i)
	}
	close(stop)
	readers.Wait()
}

// A late store reads a value at once and hands it over a second later.
type lateStore struct{ *memoryStore }

func (s lateStore) Load(ctx context.Context, key string) (string, error) {
	v, err := s.memoryStore.Load(ctx, key)
	time.Sleep(time.Second)
	return v, err
}

func TestAValueThatWasReadBeforeASaveIsNotSeenAfterIt(t *testing.T) {
	for _, after := range []time.Duration{0, time.Second} { // during the flight, and when it has landed
		synctest.Test(t, func(t *testing.T) {
			g, s := newTestGuard(t, 10, 0)
			g.store = lateStore{s}
			var reader sync.WaitGroup
			reader.Go(func() {
				if v, err := g.GetOrLoad(t.Context(), present(1)); err != nil || v != "value 1" {
					t.Errorf("before the save: %q, %v", v, err)
				}
			})
			synctest.Wait()
			if err := g.Save(t.Context(), present(1), "new"); err != nil {
				t.Error(err)
			}
			time.Sleep(after)
			synctest.Wait()
			if v, err := g.GetOrLoad(t.Context(), present(1)); err != nil || v != "new" {
				t.Errorf("%v after the save: %q, %v", after, v, err)
			}
			reader.Wait()
		})
	}
}

// A failing store fails its first calls.
type failingStore struct {
	memoryStore
	left atomic.Int64
}

var errDown = errors.New("the store is down")

func (s *failingStore) Load(ctx context.Context, key string) (string, error) {
	if s.left.Add(-1) >= 0 {
		return "", errDown
	}
	return s.memoryStore.Load(ctx, key)
}

func TestFailuresAreNotCached(t *testing.T) {
	g, s := newTestGuard(t, 10, 0)
	failing := &failingStore{}
	failing.values = s.values
	failing.left.Store(2)
	g.store = failing
	for range 2 {
		if _, err := g.GetOrLoad(t.Context(), present(1)); !errors.Is(err, errDown) {
			t.Errorf("%v, want %v", err, errDown)
		}
	}
	if v, err := g.GetOrLoad(t.Context(), present(1)); err != nil || v != "value 1" {
		t.Errorf("%q, %v", v, err)
	}
}
