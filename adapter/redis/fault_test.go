package redis

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/redis/go-redis/v9"
)

// A ledger keeps what was said of each key. Unknown is allowed; a wrong verdict
// is not.
type ledger struct {
	mu             sync.Mutex
	news, unknowns map[uint64]int
	seen           map[uint64]bool
}

func newLedger() *ledger {
	return &ledger{news: map[uint64]int{}, unknowns: map[uint64]int{}, seen: map[uint64]bool{}}
}

// note enters the verdicts of a call, and checks its error against them.
func (l *ledger) note(t *testing.T, keys []uint64, verdicts []Verdict, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var positions []int
	for i, v := range verdicts {
		switch v {
		case New:
			l.news[keys[i]]++
		case Seen:
			l.seen[keys[i]] = true
		default:
			l.unknowns[keys[i]]++
			positions = append(positions, i)
		}
	}
	var unknown *UnknownError
	if named := errors.As(err, &unknown); named != (len(positions) > 0) || named && !slices.Equal(unknown.Positions, positions) {
		t.Errorf("positions %v are unknown, the error is %v", positions, err)
	}
}

// check fails if a key was new twice, or seen although nobody may have added it.
// The filter must be so large that there are no false positives.
func (l *ledger) check(t *testing.T) {
	t.Helper()
	for key, n := range l.news {
		if n > 1 {
			t.Errorf("key %d was new %d times", key, n)
		}
	}
	for key := range l.seen {
		if l.news[key] == 0 && l.unknowns[key] == 0 {
			t.Errorf("key %d was seen and new to nobody", key)
		}
	}
	t.Logf("%d keys new, %d unknown to somebody, %d seen", len(l.news), len(l.unknowns), len(l.seen))
}

// present fails if a key that was new is not in the filter.
func (l *ledger) present(t *testing.T, f *Filter) {
	t.Helper()
	for key := range l.news {
		if has, err := f.HasUint64(ctx, key); !has || err != nil {
			t.Errorf("key %d, which was new: %v, %v", key, has, err)
		}
	}
}

// The network between crawlers and Redis drops, delays and cuts.
func TestNoWrongVerdictOnABadNetwork(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	f := mustCreate(t, server.Client(nil), "f", 1_000_000, 1e-8, withShards(1<<20))
	proxy := redistest.StartProxy(t, server, 11, 60*time.Millisecond)
	faults := int64(1000)
	if testing.Short() || raceEnabled {
		faults = 100
	}
	l := newLedger()
	var wg sync.WaitGroup
	for worker := range 8 {
		client := server.Client(func(o *redis.Options) {
			o.Addr, o.ReadTimeout, o.PoolSize = proxy.Addr, 40*time.Millisecond, 2
		})
		// It opens the filter where nothing is in the way.
		g := newFilter(servers{single: client}, "f", f.config, f.record)
		wg.Go(func() {
			keys := make([]uint64, 1)
			if worker%2 == 1 {
				keys = make([]uint64, 50)
			}
			verdicts := make([]Verdict, len(keys))
			for i := uint64(0); proxy.Faults.Load() < faults; i++ {
				for j := range keys { // two workers meet the same keys
					keys[j] = uint64(worker/4)<<40 + uint64(worker%2)<<32 + i*uint64(len(keys)) + uint64(j)
				}
				_, err := g.TestAndAddUint64s(ctx, verdicts, keys)
				l.note(t, keys, verdicts, err)
				if has, err := g.HasUint64(ctx, keys[0]); !has && verdicts[0] != Unknown {
					t.Errorf("key %d is absent after %v (%v)", keys[0], verdicts[0], err)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d faults", proxy.Faults.Load())
	if len(l.unknowns) == 0 {
		t.Error("nothing was unknown: the faults did not reach the answers")
	}
	l.check(t)
	l.present(t, f)
}

// The caller may decide what an answer that was lost means.
func TestWithUnknownAs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	f := mustCreate(t, server.Client(nil), "f", 1000, 1e-6)
	proxy := redistest.StartProxy(t, server, 1, 0)
	for _, want := range []Verdict{Unknown, New, Seen} {
		c := f.config
		WithUnknownAs(want)(&c)
		client := server.Client(func(o *redis.Options) { o.Addr = proxy.Addr })
		v, err := newFilter(servers{single: client}, "f", c, f.record).TestAndAddString(ctx, "a")
		if v != want || (err != nil) != (want == Unknown) {
			t.Errorf("%v: %v, %v", want, v, err)
		}
		// A lost filter is never a verdict.
		v, err = newFilter(servers{single: server.Client(nil)}, "g", c, f.record).TestAndAddString(ctx, "a")
		if v != Unknown || !errors.Is(err, ErrFilterLost) {
			t.Errorf("%v: a lost filter is %v, %v", want, v, err)
		}
	}
}
