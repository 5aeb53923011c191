package redis

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// lossTest has workers add and look up keys while something happens to the filter.
// Nobody may ever be told that a key is absent which was added, and once it has
// happened nobody may be told anything but ErrFilterLost about the keys concerned.
func lossTest(t *testing.T, server *redistest.Server, name string, opts []Option, harm func(*Filter), concerned func(*Filter, uint64) bool) {
	t.Helper()
	client := server.Client(nil)
	f := mustCreate(t, client, name, 200_000, 1e-6, append(opts, withShards(64<<10))...)
	old := make([]uint64, 2000)
	for i := range old {
		old[i] = blocked.HashUint64(0, uint64(i))
	}
	if err := f.AddHashes(ctx, old); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var answers, losses atomic.Int64
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			keys, dst := make([]uint64, 50), make([]uint64, 1)
			for i := uint64(0); !stop.Load(); i++ {
				var err error
				h := old[(i*7+uint64(worker))%uint64(len(old))]
				switch worker {
				case 0, 1: // reads, of keys that were added
					var has bool
					if has, err = f.HasHash(ctx, h); !has {
						t.Errorf("key %x is absent (%v)", h, err)
					}
				case 2:
					for j := range keys {
						keys[j] = old[(i*50+uint64(j))%uint64(len(old))]
					}
					if _, err = f.HasHashes(ctx, dst, keys); dst[0] != 1<<50-1 {
						t.Errorf("some keys of a batch are absent (%v)", err)
					}
				case 3: // writes without reading, which make junk of shards that are lost
					err = f.AddUint64(ctx, 1<<32+i)
				case 4:
					for j := range keys {
						keys[j] = blocked.HashUint64(0, 1<<33+i*50+uint64(j))
					}
					err = f.AddHashes(ctx, keys)
				case 5: // keys that are there cannot be new
					var v Verdict
					if v, err = f.TestAndAddHash(ctx, h); v == New {
						t.Errorf("key %x is new", h)
					}
				}
				answers.Add(1)
				if errors.Is(err, ErrFilterLost) {
					losses.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	redistest.Eventually(t, "the workers work", func() bool { return answers.Load() > 500 })
	harm(f)
	after := losses.Load()
	redistest.Eventually(t, "the workers notice", func() bool { return losses.Load() > after+100 })
	stop.Store(true)
	wg.Wait()
	for _, h := range old {
		has, err := f.HasHash(ctx, h)
		if !has || errors.Is(err, ErrFilterLost) != concerned(f, h) {
			t.Errorf("afterwards key %x: %v, %v", h, has, err)
		}
		v, err := f.TestAndAddHash(ctx, h)
		if want := map[bool]Verdict{true: Unknown, false: Seen}[concerned(f, h)]; v != want {
			t.Errorf("afterwards key %x is %v (%v), want %v", h, v, err, want)
		}
	}
	if _, err := f.Save(ctx); !errors.Is(err, ErrFilterLost) {
		t.Errorf("saving it: %v", err)
	}
	if _, err := f.Info(ctx); !errors.Is(err, ErrFilterLost) {
		t.Errorf("asking for it: %v", err)
	}
}

func allKeys(*Filter, uint64) bool { return true }

func inShard(i int) func(*Filter, uint64) bool {
	return func(f *Filter, h uint64) bool { n, _ := f.record.place(h); return n == i }
}

func TestALostFilterIsNeverAnAbsentKey(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(nil)
	cases := []struct {
		name      string
		harm      func(*Filter)
		concerned func(*Filter, uint64) bool
	}{
		{"FLUSHALL", func(*Filter) { client.FlushAll(ctx) }, allKeys},
		{"DEL", func(f *Filter) { client.Del(ctx, f.shards[3].key) }, inShard(3)},
		{"truncated", func(f *Filter) {
			v := client.GetRange(ctx, f.shards[2].key, 0, f.shards[2].at-1).Val()
			client.Set(ctx, f.shards[2].key, v, 0)
		}, inShard(2)},
		{"another type", func(f *Filter) {
			client.Del(ctx, f.shards[1].key)
			client.LPush(ctx, f.shards[1].key, "x")
		}, inShard(1)},
		{"zeros", func(f *Filter) {
			client.Set(ctx, f.shards[0].key, strings.Repeat("\x00", int(f.shards[0].at+sentinelBytes)), 0)
		}, inShard(0)},
		{"the shard of another number", func(f *Filter) { client.Copy(ctx, f.shards[1].key, f.shards[0].key, 0, true) }, inShard(0)},
		{"FLUSHALL, and another filter of the name", func(f *Filter) {
			client.FlushAll(ctx)
			mustCreate(t, client, f.name, 200_000, 1e-6, withShards(64<<10))
		}, allKeys},
		{"replaced", func(f *Filter) { mustCreate(t, client, f.name, 200_000, 1e-6, withShards(64<<10), Replace()) }, allKeys},
		{"TTL", func(f *Filter) {
			if err := f.Expire(ctx, 30*time.Millisecond); err != nil {
				t.Error(err)
			}
		}, allKeys},
		{"TTL of one shard", func(f *Filter) { client.PExpire(ctx, f.shards[4].key, 30*time.Millisecond) }, inShard(4)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { lossTest(t, server, c.name, nil, c.harm, c.concerned) })
	}
}

// The server runs out of memory and evicts, as its policy allows.
func TestAnEvictedFilterIsNeverAnAbsentKey(t *testing.T) {
	server := redistest.Start(t, "--maxmemory", "24mb", "--maxmemory-policy", "allkeys-random")
	client := server.Client(nil)
	if _, err := Create(ctx, client, "f", 1000, 0.01); !errors.Is(err, ErrEviction) {
		t.Fatalf("creating a filter where it may be evicted: %v", err)
	}
	lossTest(t, server, "f", []Option{AcceptEviction()}, func(f *Filter) {
		for i := 0; client.Exists(ctx, f.keys()...).Val() == int64(len(f.shards)+1); i++ {
			client.Set(ctx, fmt.Sprint("other", i), make([]byte, 1<<20), 0)
		}
		client.ConfigSet(ctx, "maxmemory", "0")
		for i := range f.shards { // all that are left, so that it is clear what is lost
			client.Del(ctx, f.shards[i].key)
		}
	}, allKeys)
}

func TestPoliciesThatEvict(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(nil)
	for policy, want := range map[string]struct{ forEver, withTTL bool }{
		"noeviction": {true, true}, "volatile-lru": {true, false}, "volatile-ttl": {true, false},
		"allkeys-lru": {false, false}, "allkeys-lfu": {false, false}, "allkeys-random": {false, false},
	} {
		if err := client.ConfigSet(ctx, "maxmemory-policy", policy).Err(); err != nil {
			t.Fatal(err)
		}
		for ttl, allowed := range map[time.Duration]bool{0: want.forEver, time.Hour: want.withTTL} {
			opts := []Option{Replace()}
			if ttl > 0 {
				opts = append(opts, WithTTL(ttl))
			}
			_, err := Create(ctx, client, "f", 1000, 0.01, opts...)
			if (err == nil) != allowed || err != nil && !errors.Is(err, ErrEviction) {
				t.Errorf("%s, time to live %v: %v", policy, ttl, err)
			}
			f := mustCreate(t, client, "g", 1000, 0.01, append(opts, AcceptEviction())...)
			if got, err := f.TTL(ctx); err != nil || ttl == 0 && got >= 0 || ttl > 0 && (got <= ttl/2 || got > ttl) {
				t.Errorf("time to live %v (%v), want %v", got, err, ttl)
			}
			if _, err := Open(ctx, client, "g"); (err == nil) != allowed {
				t.Errorf("%s, time to live %v: opened: %v", policy, ttl, err)
			}
		}
	}
	// A user who may not ask.
	client.ConfigSet(ctx, "maxmemory-policy", "noeviction")
	if err := client.Do(ctx, "acl", "setuser", "crawler", "on", ">secret", "~*", "+@all", "-info").Err(); err != nil {
		t.Fatal(err)
	}
	limited := server.Client(func(o *redis.Options) { o.Username, o.Password = "crawler", "secret" })
	if _, err := Open(ctx, limited, "g"); !errors.Is(err, ErrEviction) {
		t.Errorf("opened without knowing the policy: %v", err)
	}
	f, err := Open(ctx, limited, "g", AcceptEviction())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Persist(ctx); err != nil {
		t.Error(err)
	}
	if ttl, err := f.TTL(ctx); ttl >= 0 || err != nil {
		t.Errorf("time to live %v, %v", ttl, err)
	}
}

// Commands of a client that is late, in every order, never reach into another
// filter of the name: at worst they set bits in it.
func TestAMakerWhoIsLate(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	p, _ := blocked.ParamsFor(1000, 1e-6)
	s, c := servers{single: client}, config{shardLimit: maxShard, replace: true}
	late := newFilter(s, "f", c, newRecord(p, 0, 0, c))
	if err := late.claim(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, client, "f"); !errors.Is(err, ErrNotReady) {
		t.Errorf("opened what is being made: %v", err)
	}
	f := mustCreate(t, client, "f", 1000, 1e-6, Replace())
	if err := f.AddString(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if err := late.putShard(ctx, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := late.finish(ctx); !errors.Is(err, ErrFilterLost) {
		t.Errorf("the late one is ready: %v", err)
	}
	if has, err := f.HasString(ctx, "a"); !has || !errors.Is(err, ErrFilterLost) {
		t.Errorf("the filter whose shard was replaced: %v, %v", has, err)
	}
}

// The meta key is lost, and its shards are not: nobody gets an empty filter.
func TestALostMetaKey(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	f := mustCreate(t, client, "f", 10_000, 1e-6, withShards(4096))
	if err := f.AddString(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	client.Del(ctx, metaKey("f"))
	if _, err := OpenOrCreate(ctx, client, "f", 10_000, 1e-6, withShards(4096)); !errors.Is(err, ErrFilterLost) {
		t.Errorf("a filter was made where parts of one are: %v", err)
	}
	if has, err := f.HasString(ctx, "a"); !has || err != nil {
		t.Errorf("the key is there: %v, %v", has, err)
	}
	if err := Drop(ctx, client, "f"); err != nil {
		t.Fatal(err)
	}
	// What a late write leaves behind does not stand in the way.
	if err := f.AddString(ctx, "a"); !errors.Is(err, ErrFilterLost) {
		t.Errorf("adding to what is gone: %v", err)
	}
	g := mustCreate(t, client, "f", 10_000, 1e-6, withShards(4096))
	if has, err := g.HasString(ctx, "a"); has || err != nil {
		t.Errorf("a key that was never added: %v, %v", has, err)
	}
	if has, err := f.HasString(ctx, "a"); !has || !errors.Is(err, ErrFilterLost) {
		t.Errorf("the old filter: %v, %v", has, err)
	}
}
