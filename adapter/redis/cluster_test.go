package redis

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/redis/go-redis/v9"
)

func clusterClient(c *redistest.Cluster) *redis.ClusterClient {
	return c.Client(func(o *redis.ClusterOptions) {
		o.DialTimeout, o.ReadTimeout = time.Second, 2*time.Second
	})
}

// slotOf asks the server.
func slotOf(t *testing.T, c *redistest.Cluster, key string) int64 {
	t.Helper()
	slot, err := c.Nodes[0].Client(nil).ClusterKeySlot(ctx, key).Result()
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

// All slots of a filter wander through a cluster of three nodes while crawlers use
// it, each shard several times.
func TestSlotsMoveUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	f := mustCreate(t, clusterClient(cluster), "f", 100_000, 1e-8, withShards(64<<10))
	if len(f.shards) < 6 {
		t.Fatalf("%d shards", len(f.shards))
	}
	owners := map[*redistest.Server]int{}
	for _, key := range f.keys() {
		owners[cluster.Owner(slotOf(t, cluster, key))]++
	}
	if len(owners) != 3 {
		t.Fatalf("the %d shards are on %d nodes, want 3", len(f.shards), len(owners))
	}
	l := newLedger()
	var stop atomic.Bool
	var calls, failures atomic.Int64
	var wg sync.WaitGroup
	for worker := range 4 {
		g, err := Open(ctx, clusterClient(cluster), "f")
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			keys := make([]uint64, 1)
			if worker%2 == 1 {
				keys = make([]uint64, 100)
			}
			verdicts := make([]Verdict, len(keys))
			dst := make([]uint64, 2)
			for i := uint64(0); !stop.Load(); i++ {
				for j := range keys {
					keys[j] = uint64(worker%2)<<32 + i*uint64(len(keys)) + uint64(j)
				}
				_, err := g.TestAndAddUint64s(ctx, verdicts, keys)
				l.note(t, keys, verdicts, err)
				calls.Add(1)
				if err != nil {
					failures.Add(1)
					continue
				}
				if n, err := g.HasUint64s(ctx, dst, keys); n != len(keys) {
					t.Errorf("%d of %d keys that were added are absent (%v)", len(keys)-n, len(keys), err)
				}
			}
		})
	}
	moves := 0
	for range 3 {
		for _, key := range f.keys() {
			slot := slotOf(t, cluster, key)
			for i, node := range cluster.Nodes {
				if node == cluster.Owner(slot) {
					cluster.MoveSlot(slot, cluster.Nodes[(i+1)%3])
					moves++
					break
				}
			}
		}
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d slots moved, %d calls, %d of them with unknown keys", moves, calls.Load(), failures.Load())
	if calls.Load() < 100 || failures.Load()*2 > calls.Load() {
		t.Errorf("%d of %d calls failed", failures.Load(), calls.Load())
	}
	l.check(t)
	g, err := Open(ctx, clusterClient(cluster), "f")
	if err != nil {
		t.Fatal(err)
	}
	l.present(t, g)
	if _, err := g.Save(ctx); err != nil {
		t.Error(err)
	}
}

// The primary of a shard is killed with -9 and its replica promoted. What WAIT has
// confirmed is there afterwards, and nobody is told twice that a key is new.
func TestAReplicaIsPromoted(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	f := mustCreate(t, clusterClient(cluster), "f", 50_000, 1e-8, withShards(1<<20))
	if len(f.shards) != 1 {
		t.Fatalf("%d shards, want 1", len(f.shards))
	}
	slot := slotOf(t, cluster, f.shards[0].key)
	primary := cluster.Owner(slot)
	replica := cluster.AddReplica(primary)
	l := newLedger()
	var stop atomic.Bool
	var calls, failures, unconfirmed atomic.Int64
	var wg sync.WaitGroup
	for worker := range 4 {
		g, err := Open(ctx, clusterClient(cluster), "f", WithWait(1, 500*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			verdicts, keys := make([]Verdict, 1), make([]uint64, 1)
			for i := uint64(0); !stop.Load(); i++ {
				keys[0] = uint64(worker%2)<<32 + i
				_, err := g.TestAndAddUint64s(ctx, verdicts, keys)
				if errors.Is(err, ErrNotReplicated) && verdicts[0] != Unknown {
					unconfirmed.Add(1) // may be forgotten: as good as unknown
					verdicts[0] = Unknown
					err = &UnknownError{Positions: []int{0}, Keys: 1, Err: err}
				}
				l.note(t, keys, verdicts, err)
				if err != nil {
					failures.Add(1)
					time.Sleep(time.Millisecond)
				}
				calls.Add(1)
			}
		})
	}
	redistest.Eventually(t, "keys are added", func() bool { return calls.Load() > 1000 })
	primary.Kill()
	redistest.Eventually(t, "the replica is promoted", func() bool { return replica.Has(slot) })
	after := calls.Load() - failures.Load()
	redistest.Eventually(t, "the crawlers go on", func() bool {
		// There is no replica left that could confirm: only keys that are seen count.
		return calls.Load()-failures.Load() > after || unconfirmed.Load() > 20
	})
	stop.Store(true)
	wg.Wait()
	t.Logf("%d calls, %d failed, %d not confirmed", calls.Load(), failures.Load(), unconfirmed.Load())
	if failures.Load() == 0 {
		t.Error("nobody noticed")
	}
	l.check(t)
	g, err := Open(ctx, clusterClient(cluster), "f")
	if err != nil {
		t.Fatal(err)
	}
	l.present(t, g)
	for key := range l.news {
		if v, err := g.TestAndAddUint64(ctx, key); v != Seen || err != nil {
			t.Errorf("key %d after the failover: %v, %v", key, v, err)
		}
	}
}
