package redis

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

func TestWaitingForReplicas(t *testing.T) {
	primary := redistest.Start(t, "--repl-diskless-sync-delay", "0")
	replica := primary.StartReplica()
	client := primary.Client(nil)
	mustCreate(t, client, "f", 1000, 0.001)
	key := uint64(0)
	for _, w := range []struct {
		replicas  int
		confirmed bool
	}{{1, true}, {2, false}} {
		f, err := Open(ctx, client, "f", WithWait(w.replicas, 200*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		key++
		v, err := f.TestAndAddUint64(ctx, key)
		if v != New || errors.Is(err, ErrNotReplicated) == w.confirmed || w.confirmed && err != nil {
			t.Errorf("%d replicas: %v, %v", w.replicas, v, err)
		}
		if v, err := f.TestAndAddUint64(ctx, key); v != Seen || err != nil {
			t.Errorf("%d replicas, seen: %v, %v", w.replicas, v, err)
		}
		if err := f.AddUint64(ctx, key+100); errors.Is(err, ErrNotReplicated) == w.confirmed {
			t.Errorf("%d replicas: %v", w.replicas, err)
		}
	}
	// What was confirmed is on the replica, which must not be asked as if it were
	// a primary.
	if _, err := Open(ctx, replica.Client(nil), "f"); !errors.Is(err, blocked.ErrInvalid) {
		t.Errorf("opened a replica: %v", err)
	}
	primary.Kill()
	promoted := replica.Client(nil)
	if err := promoted.Do(ctx, "replicaof", "no", "one").Err(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(ctx, promoted, "f")
	if err != nil {
		t.Fatal(err)
	}
	if has, err := f.HasUint64(ctx, 1); !has || err != nil {
		t.Errorf("after the failover: %v, %v", has, err)
	}
}

// Servers before 7.2 do not know WAITAOF, which is said and not passed over.
func TestWaitingForTheDisk(t *testing.T) {
	client := redistest.Start(t, "--appendonly", "yes").Client(nil)
	f := mustCreate(t, client, "f", 1000, 0.001, WithWaitAOF(1, 0, time.Second))
	known := client.Do(ctx, "waitaof", 0, 0, 0).Err() == nil
	v, err := f.TestAndAddString(ctx, "a")
	if v != New || (err == nil) != known || !known && (!errors.Is(err, ErrNotReplicated) || !strings.Contains(err.Error(), "unknown command")) {
		t.Errorf("WAITAOF known: %v; %v, %v", known, v, err)
	}
	f = mustCreate(t, client, "g", 1000, 0.001, WithWaitAOF(1, 1, 100*time.Millisecond))
	if v, err := f.TestAndAddString(ctx, "a"); v != New || !errors.Is(err, ErrNotReplicated) {
		t.Errorf("without replicas: %v, %v", v, err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(nil)
	readsReplicas := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr}, RouteByLatency: true})
	defer readsReplicas.Close()
	ring := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": server.Addr}})
	defer ring.Close()
	caches := server.Client(func(o *redis.Options) { o.ClientSideCacheConfig = &redis.ClientSideCacheConfig{} })
	for what, c := range map[string]struct {
		client redis.UniversalClient
		name   string
		opt    Option
		want   error
	}{
		"a client that reads from replicas": {readsReplicas, "f", Replace(), blocked.ErrInvalid},
		"a client with a cache":             {caches, "f", Replace(), blocked.ErrInvalid},
		"a ring":                            {ring, "f", Replace(), blocked.ErrUnsupported},
		"no client":                         {nil, "f", Replace(), blocked.ErrUnsupported},
		"no name":                           {client, "", Replace(), blocked.ErrInvalid},
		"a name that chooses the slot":      {client, "a{b}c", Replace(), blocked.ErrInvalid},
		"a long name":                       {client, strings.Repeat("x", 1025), Replace(), blocked.ErrInvalid},
		"no time to live":                   {client, "f", WithTTL(0), blocked.ErrInvalid},
		"an unknown verdict":                {client, "f", WithUnknownAs(7), blocked.ErrInvalid},
		"waiting for nobody":                {client, "f", WithWait(0, time.Second), blocked.ErrInvalid},
		"waiting for two disks":             {client, "f", WithWaitAOF(2, 0, time.Second), blocked.ErrInvalid},
		"waiting for ever":                  {client, "f", WithWait(1, 0), blocked.ErrInvalid},
		"waiting longer than the client":    {client, "f", WithWait(1, time.Hour), blocked.ErrInvalid},
		"a filter that is too large":        {client, "f", WithSizing(blocked.WithMaxBytes(64)), blocked.ErrTooLarge},
	} {
		if _, err := Create(ctx, c.client, c.name, 1000, 0.01, c.opt); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, p := range []blocked.Params{{}, {Blocks: 1}, {Blocks: 1, K: 17}, {Blocks: 1<<32 + 1, K: 1}} {
		if _, err := CreateFromParams(ctx, client, "f", p); !errors.Is(err, blocked.ErrInvalid) {
			t.Errorf("%v: %v", p, err)
		}
	}
	if _, err := CreateWindow(ctx, client, "w", 1, 1000, 0.01); !errors.Is(err, blocked.ErrInvalid) {
		t.Errorf("a window of one generation: %v", err)
	}
	if n := client.DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d keys were made: %v", n, client.Keys(ctx, "*").Val())
	}
}
