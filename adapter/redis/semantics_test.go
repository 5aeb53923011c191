package redis

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// BF.MADD of the RedisBloom module, which Redis 8 has built in, returns 1 for each
// item that is new and 0 for one that may have been there, in order, also within a
// call. So do batches here: New where it returns 1. Where the server does not know
// the command, a local filter stands for it.
func TestBatchesAnswerAsBFMADD(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	f := mustCreate(t, client, "f", 10_000, 1e-7, withShards(4096))
	local, _ := blocked.NewFromParams(f.Params())
	module := client.Do(ctx, "bf.reserve", "module", 1e-7, 10_000).Err() == nil
	if !module {
		t.Log("the server has no BF.MADD: compared with a local filter only")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		keys := make([]uint64, 1+r.IntN(300))
		args := []any{"bf.madd", "module"}
		for i := range keys {
			keys[i] = r.Uint64N(3000)
			args = append(args, keys[i])
		}
		verdicts := make([]Verdict, len(keys))
		news, err := f.TestAndAddUint64s(ctx, verdicts, keys)
		if err != nil {
			t.Fatal(err)
		}
		var theirs []any
		if module {
			if theirs, err = client.Do(ctx, args...).Slice(); err != nil {
				t.Fatal(err)
			}
		}
		for i, key := range keys {
			isNew := !local.TestAndAddUint64(key)
			if isNew {
				news--
			}
			if (verdicts[i] == New) != isNew || verdicts[i] == Unknown {
				t.Fatalf("key %d is %v, want new: %v", key, verdicts[i], isNew)
			}
			if module && (theirs[i] == int64(1) || theirs[i] == true) != isNew {
				t.Fatalf("key %d: BF.MADD returns %v, want new: %v", key, theirs[i], isNew)
			}
		}
		if news != 0 {
			t.Fatalf("the number of new keys is wrong by %d", news)
		}
	}
}

// More keys than go to Redis at a time, in all kinds of calls.
func TestLargeBatches(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	f := mustCreate(t, client, "f", 50_000, 1e-7, withShards(64<<10))
	keys := make([]uint64, 2*maxPipeline+123)
	for i := range keys {
		keys[i] = uint64(i)
	}
	answers, verdicts := make([]uint64, len(keys)/64+1), make([]Verdict, len(keys))
	if n, err := f.HasUint64s(ctx, answers, keys); n != 0 || err != nil {
		t.Errorf("%d hits in an empty filter, %v", n, err)
	}
	if n, err := f.TestAndAddUint64s(ctx, verdicts, keys); n != len(keys) || err != nil {
		t.Errorf("%d of %d new, %v", n, len(keys), err)
	}
	if n, err := f.HasUint64s(ctx, answers, keys); n != len(keys) || err != nil {
		t.Errorf("%d of %d hits, %v", n, len(keys), err)
	}
	// From the first failure on nothing is known, and the rest is not tried.
	client.Del(ctx, f.shards[0].key)
	n, err := f.TestAndAddUint64s(ctx, verdicts, keys)
	var unknown *UnknownError
	if !errors.As(err, &unknown) || !errors.Is(err, ErrFilterLost) || n != 0 {
		t.Fatalf("%d new, %v", n, err)
	}
	byPosition := make(map[int]bool)
	for _, p := range unknown.Positions {
		byPosition[p] = true
	}
	for i, v := range verdicts {
		shard, _ := f.record.place(blocked.HashUint64(0, keys[i]))
		want := Seen
		if shard == 0 || i >= maxPipeline {
			want = Unknown
		}
		if v != want || byPosition[i] != (v == Unknown) {
			t.Fatalf("position %d is %v, want %v; named: %v", i, v, want, byPosition[i])
		}
	}
}

// Contexts, databases and passwords are those of go-redis.
func TestOptionsOfTheClient(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(func(o *redis.Options) { o.DB = 5 })
	f := mustCreate(t, client, "f", 1000, 0.01)
	if _, err := Open(ctx, server.Client(nil), "f"); err == nil {
		t.Error("the filter is in another database too")
	}
	ended, end := context.WithCancel(ctx)
	end()
	if has, err := f.HasString(ended, "a"); !has || !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v, %v", has, err)
	}
	for name, g := range map[string]*Filter{"plain": f, "as new": newFilter(f.servers, "f", config{unknownAs: New}, f.record)} {
		if v, err := g.TestAndAddString(ended, "a"); v != Unknown || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, with an ended context: %v, %v", name, v, err)
		}
	}
	if err := client.ConfigSet(ctx, "requirepass", "secret").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, server.Client(func(o *redis.Options) { o.DB = 5 }), "f"); err == nil {
		t.Error("opened without a password")
	}
	g, err := Open(ctx, server.Client(func(o *redis.Options) { o.DB, o.Password = 5, "secret" }), "f")
	if err != nil {
		t.Fatal(err)
	}
	if has, err := g.HasString(ctx, "a"); has || err != nil {
		t.Errorf("a key that was not added: %v, %v", has, err)
	}
}
