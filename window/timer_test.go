package window

import (
	"testing"
	"testing/synctest"
	"time"
)

// Timers rotate while there is something to forget, to the nanosecond in the time
// of a test, and are not set any more when there is not.
func TestTimersForget(t *testing.T) {
	for _, generations := range []int{2, 3, 11} {
		synctest.Test(t, func(t *testing.T) {
			s := sliding(t, Config{Duration: time.Hour, Capacity: 1000, FPRate: 1e-6, Generations: generations})
			span := time.Hour / time.Duration(generations-1)
			time.Sleep(100 * time.Hour)
			synctest.Wait()
			if n := s.newest().number; n != 0 {
				t.Fatalf("%d rotations of a window without keys", n)
			}
			for round := range 3 {
				s.SeenString("first") // sets the timer
				time.Sleep(span - 1)
				if s.SeenString("last") {
					t.Fatal("found before it was seen")
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if !s.HasString("last") {
					t.Fatalf("round %d: forgotten after an hour", round)
				}
				time.Sleep(span)
				synctest.Wait()
				if s.HasString("last") || s.HasString("first") {
					t.Fatalf("round %d: remembered after %v", round, time.Hour+span)
				}
				time.Sleep(100 * time.Hour)
				synctest.Wait()
				if s.armed.Load() {
					t.Fatal("the timer is set, and there is nothing to forget")
				}
			}
		})
	}
}

// A key that is seen again and again stays, and one that is seen once goes.
func TestTimersKeepWhatIsSeenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sliding(t, Config{Duration: time.Hour, Capacity: 1000, FPRate: 1e-6, Generations: 4})
		for step := range uint64(500) {
			if s.SeenString("again") != (step > 0) {
				t.Fatalf("step %d: wrong", step)
			}
			s.SeenUint64(step)
			if step >= 9 && s.HasUint64(step-9) {
				t.Fatalf("step %d: a key is remembered after 90 minutes", step)
			}
			if step >= 6 && !s.HasUint64(step-6) {
				t.Fatalf("step %d: a key is forgotten after 60 minutes", step)
			}
			time.Sleep(10 * time.Minute)
			synctest.Wait()
		}
	})
}
