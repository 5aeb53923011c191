package redis

import (
	"reflect"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// Any bytes may be in the keys of a filter. Whatever is asked, there is an answer or
// an error, no panic and no allocation beyond what Redis holds; and what is not the
// filter never says that a key is absent which was added.
func FuzzKeys(f *testing.F) {
	server := redistest.Start(f)
	client := server.Client(nil)
	good, err := CreateFromParams(ctx, client, "good", blocked.Params{Blocks: 3, K: 7}, withShards(128))
	if err != nil {
		f.Fatal(err)
	}
	if err := good.AddString(ctx, "a"); err != nil {
		f.Fatal(err)
	}
	var values [3][]byte
	for i, key := range good.keys() {
		values[i], _ = client.Get(ctx, key).Bytes()
	}
	shard0, shard1, meta := values[0], values[1], values[2]
	f.Add(meta, shard0, shard1)
	f.Add(meta, shard1, shard0)
	f.Add(meta[:64], []byte{}, shard1)
	f.Add([]byte{}, shard0, shard1)
	f.Add(meta, make([]byte, len(shard0)), []byte("x"))
	large := good.record
	large.header.Blocks, large.perShard = 1<<32, 1<<18 // 256 GiB
	f.Add(large.append(nil), shard0, shard1)
	f.Fuzz(func(t *testing.T, meta, shard0, shard1 []byte) {
		client.FlushDB(ctx)
		for i, v := range [][]byte{shard0, shard1, meta} {
			key := append([]string{shardKey("f", 0), shardKey("f", 1)}, metaKey("f"))[i]
			client.Set(ctx, key, v, 0)
		}
		// A client that knew the filter when it was whole.
		old := newFilter(servers{single: client}, "f", good.config, good.record)
		h := blocked.HashString(0, "a")
		i, at := good.record.place(h)
		// Only forged blocks under the right sentinel can make it wrong.
		forged := string([][]byte{shard0, shard1}[i]) != string([][]byte{values[0], values[1]}[i])
		whole := old.checkShard(ctx, i) == nil
		if has, err := old.HasHash(ctx, h); !has && !(forged && whole) {
			t.Errorf("the key, in shard %d at %d, is absent: %v", i, at, err)
		}
		if v, err := old.TestAndAddHash(ctx, h); v == New && !(forged && whole) || (v == Unknown) != (err != nil) {
			t.Errorf("the key is %v, %v", v, err)
		}
		exercise(client)
	})
}

// exercise opens the filter, if it can be opened, and asks it for everything.
func exercise(client *redis.Client) {
	f, err := Open(ctx, client, "f")
	if err != nil {
		return
	}
	f.HasString(ctx, "a")
	f.TestAndAddString(ctx, "b")
	f.Save(ctx)
	f.Info(ctx)
	f.Expire(ctx, 1e9)
}

// Records alone, without a server between.
func FuzzRecords(f *testing.F) {
	c, _ := newConfig(nil)
	r := newRecord(blocked.Params{Blocks: 300_000, K: 7, Seed: 3}, 5, 0.1, c)
	r.header.Metadata = []byte("metadata")
	f.Add(r.append(nil))
	w := windowRecord{keep: 3, current: 9, header: r.header}
	f.Add(w.append(nil))
	f.Fuzz(func(t *testing.T, p []byte) {
		if r, err := parseRecord(p); err == nil {
			again, err := parseRecord(r.append(nil))
			if r.header.Offset = again.header.Offset; err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%+v is written and read as %+v, %v", r, again, err)
			}
			if r.shards < 1 || r.shards > maxShards || r.size(0) > maxShard || r.size(r.shards-1) <= 0 {
				t.Errorf("layout %+v", r.layout)
			}
		}
		if w, err := parseWindowRecord(p); err == nil {
			again, err := parseWindowRecord(w.append(nil))
			if w.header.Offset = again.header.Offset; err != nil || !reflect.DeepEqual(again, w) {
				t.Errorf("%+v is written and read as %+v, %v", w, again, err)
			}
		}
	})
}
