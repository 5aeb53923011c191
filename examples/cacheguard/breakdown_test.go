package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// In the bubble of a synctest, time moves when all goroutines wait. So the store
// answers only when all callers are there.
func TestAThousandMissesAreOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newTestGuard(t, 10, time.Second)
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				if v, err := g.GetOrLoad(t.Context(), present(3)); err != nil || v != "value 3" {
					t.Errorf("%q, %v", v, err)
				}
			})
		}
		all.Wait()
		if n := s.Calls.Load(); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}

// Here callers come before, during and after the flight.
func TestMissesAtAnyTimeAreOneCall(t *testing.T) {
	const keys = 200
	g, s := newTestGuard(t, keys, 0)
	for i := range keys {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if v, err := g.GetOrLoad(t.Context(), present(i)); err != nil || v != fmt.Sprint("value ", i) {
					t.Errorf("%q, %v", v, err)
				}
			})
		}
		all.Wait()
		if n := s.Calls.Swap(0); n != 1 {
			t.Errorf("key %d: %d calls", i, n)
		}
	}
}

// A caller who missed the cache may begin a flight when the last one has landed.
func TestAFlightAfterAnotherAsksTheCache(t *testing.T) {
	g, s := newTestGuard(t, 10, 0)
	for range 2 {
		if v, err := g.load(t.Context(), present(3)); err != nil || v != "value 3" {
			t.Errorf("%q, %v", v, err)
		}
	}
	if n := s.Calls.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
}

func TestACallerWhoGivesUpTakesNothingFromTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newTestGuard(t, 10, time.Second)
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var all sync.WaitGroup
		all.Go(func() {
			began := time.Now()
			if _, err := g.GetOrLoad(impatient, present(3)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the impatient caller: %v", err)
			}
			if waited := time.Since(began); waited != time.Millisecond {
				t.Errorf("the impatient caller waited %v", waited)
			}
		})
		synctest.Wait() // it has begun the flight
		all.Go(func() {
			if v, err := g.GetOrLoad(t.Context(), present(3)); err != nil || v != "value 3" {
				t.Errorf("%q, %v", v, err)
			}
		})
		all.Wait()
		if n := s.Calls.Load(); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}
