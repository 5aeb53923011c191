package redis

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

// withShards makes shards smaller than they are, so that small filters have many.
func withShards(bytes uint64) Option { return func(c *config) { c.shardLimit = bytes } }

func mustCreate(t testing.TB, client redis.UniversalClient, name string, capacity uint64, rate float64, opts ...Option) *Filter {
	t.Helper()
	f, err := Create(ctx, client, name, capacity, rate, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The bits in Redis, the answers and the verdicts are those of a local filter.
func TestAFilterInRedisIsALocalFilter(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	for _, k := range []int{1, 6, 8, 9, 16} {
		for _, limit := range []uint64{64, 1000, maxShard} {
			name := fmt.Sprintf("k%d/%d", k, limit)
			p := blocked.Params{Blocks: 37, K: k, Seed: 7}
			f, err := CreateFromParams(ctx, client, name, p, withShards(limit/64*64))
			if err != nil {
				t.Fatal(err)
			}
			local, _ := blocked.NewFromParams(p)
			for i := range uint64(300) {
				want := Seen
				if !local.TestAndAddUint64(i % 200) {
					want = New
				}
				if got, err := f.TestAndAddUint64(ctx, i%200); err != nil || got != want {
					t.Fatalf("%s: key %d is %v (%v), want %v", name, i, got, err, want)
				}
			}
			for i := uint64(150); i < 250; i++ {
				if got, err := f.HasUint64(ctx, i); err != nil || got != local.HasUint64(i) {
					t.Fatalf("%s: key %d: %v (%v), want %v", name, i, got, err, local.HasUint64(i))
				}
			}
			saved, err := f.Save(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if !saved.Equal(local) {
				t.Errorf("%s: the blocks differ", name)
			}
		}
	}
}

func TestNamesAndStates(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	if _, err := Open(ctx, client, "f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening what is not there: %v", err)
	}
	f := mustCreate(t, client, "f", 1000, 0.01)
	if n := client.DBSize(ctx).Val(); n != 2 {
		t.Errorf("a filter of one shard has %d keys: %v", n, client.Keys(ctx, "*").Val())
	}
	if _, err := Create(ctx, client, "f", 1000, 0.01); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating what is there: %v", err)
	}
	if err := f.AddString(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	g, err := OpenOrCreate(ctx, client, "f", 5, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if g.Params() != f.Params() || g.Capacity() != 1000 || g.TargetFPRate() != 0.01 {
		t.Errorf("opened %v, %d keys, rate %g", g.Params(), g.Capacity(), g.TargetFPRate())
	}
	if has, err := g.HasString(ctx, "a"); !has || err != nil {
		t.Errorf("the other client's key: %v, %v", has, err)
	}
	if _, err := Create(ctx, client, "f", 2000, 0.01, Replace()); err != nil {
		t.Fatal(err)
	}
	if has, err := g.HasString(ctx, "b"); !has || !errors.Is(err, ErrFilterLost) {
		t.Errorf("after the filter was replaced: %v, %v", has, err)
	}
	if err := Drop(ctx, client, "f"); err != nil {
		t.Fatal(err)
	}
	if n := client.DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}
