package redis

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/redis/go-redis/v9"
)

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// files makes files of every kind of count, with and without metadata, of several
// sizes.
func files(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	paths := make(map[string]string)
	for name, capacity := range map[string]uint64{"small": 30, "odd": 12_345, "large": 15_000_000} {
		if name == "large" && (testing.Short() || raceEnabled) {
			continue
		}
		f, err := blocked.New(capacity, 0.01, blocked.WithSeed(capacity))
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(capacity, 10_000) {
			f.AddUint64(i)
		}
		paths[name] = filepath.Join(dir, name)
		if err := filterfile.Save(paths[name], f, []byte("metadata of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	// A shared file, which counts.
	for name, add := range map[string]func(*filterfile.Shared){
		"exact":    func(s *filterfile.Shared) { s.TestAndAddString("a") },
		"estimate": func(s *filterfile.Shared) { s.AddString("a") },
		"indeterminate": func(s *filterfile.Shared) {
			if err := s.Union(s); err != nil {
				t.Fatal(err)
			}
		},
	} {
		paths[name] = filepath.Join(dir, name)
		s, err := filterfile.Create(paths[name], 1000, 0.001)
		if err != nil {
			if errors.Is(err, errors.ErrUnsupported) {
				delete(paths, name)
				continue
			}
			t.Fatal(err)
		}
		add(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func TestAFileThatWasLoadedAndSavedIsTheSame(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	for name, path := range files(t) {
		for _, limit := range []uint64{maxShard, 1000 * 64} {
			if limit < maxShard && name == "large" {
				continue
			}
			file, err := filterfile.Open(path, filterfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := Load(ctx, client, name, file, withShards(limit), Replace())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			back := path + ".back"
			if err := f.SaveFile(ctx, back); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(mustRead(t, path), mustRead(t, back)) {
				t.Errorf("%s: the files differ", name)
			}
			// As bytes in memory, and through another client.
			g, err := Open(ctx, client, name)
			if err != nil {
				t.Fatal(err)
			}
			local, err := g.Save(ctx)
			if err != nil || !local.Equal(file) || local.Capacity() != file.Capacity() || local.TargetFPRate() != file.TargetFPRate() {
				t.Errorf("%s: saved %v, %v", name, local, err)
			}
			if err := g.SaveFile(ctx, back); err != nil || !bytes.Equal(mustRead(t, path), mustRead(t, back)) {
				t.Errorf("%s: the files differ (%v)", name, err)
			}
			// One key more, and the count is an estimate.
			if err := g.AddString(ctx, "one more"); err != nil {
				t.Fatal(err)
			}
			if err := g.SaveFile(ctx, back); err != nil {
				t.Fatal(err)
			}
			again, err := filterfile.Open(back, filterfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if h := again.Header(); h.CountState != blocked.Estimate || !again.HasString("one more") ||
				!bytes.Equal(h.Metadata, file.Header().Metadata) {
				t.Errorf("%s: with one more key: %+v", name, h)
			}
			info, err := g.Info(ctx)
			if err != nil || info.EstimateCount() != again.EstimateCount() || info.FillRatio() != again.FillRatio() ||
				info.Params != file.Params() || !bytes.Equal(info.Metadata, file.Header().Metadata) ||
				info.Shards != len(g.shards) || info.TTL >= 0 || info.ID != g.record.id {
				t.Errorf("%s: %+v, %v", name, info, err)
			}
			again.Close()
			file.Close()
		}
	}
}

func TestShardsAreOf8To16MiB(t *testing.T) {
	for _, blocks := range []uint64{1, 1 << 17, 1<<18 - 1, 1 << 18, 1<<18 + 1, 1 << 19, 1<<19 + 1, 1<<25 + 12345, 1 << 32} {
		l := layoutOf(blocked.Params{Blocks: blocks, K: 7}, maxShard)
		if l.shards > maxShards || uint64(l.shards-1)*l.perShard >= blocks || uint64(l.shards)*l.perShard < blocks {
			t.Errorf("%d blocks: %+v", blocks, l)
		}
		largest, last := l.size(0), l.size(l.shards-1)
		if largest > maxShard || l.shards > 1 && largest < maxShard/2 || last <= 0 || largest-last > int64(l.shards)*64 {
			t.Errorf("%d blocks: %d shards of %d bytes, the last of %d", blocks, l.shards, largest, last)
		}
	}
}

func TestLoadingRefusesWhatIsThere(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	f := mustCreate(t, client, "f", 1000, 0.01)
	local, _ := blocked.New(500, 0.01)
	if _, err := Load(ctx, client, "f", local); !errors.Is(err, fs.ErrExist) {
		t.Errorf("loading over a filter: %v", err)
	}
	if has, err := f.HasString(ctx, "a"); has || err != nil {
		t.Errorf("the filter that is there: %v, %v", has, err)
	}
	g, err := Load(ctx, client, "f", local, Replace(), WithTTL(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if ttl, err := g.TTL(ctx); ttl <= 0 || err != nil {
		t.Errorf("time to live %v, %v", ttl, err)
	}
	for _, key := range client.Keys(ctx, "*").Val() {
		if ttl := client.PTTL(ctx, key).Val(); ttl <= 0 {
			t.Errorf("key %s has no time to live", key)
		}
	}
}

// garble is a hook that changes what Redis says it has.
type garble struct{ redis.Hook }

func (garble) DialHook(next redis.DialHook) redis.DialHook { return next }
func (garble) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if c, ok := cmd.(*redis.StringCmd); ok && len(c.Val()) > 1000 {
			b := []byte(c.Val())
			b[777] ^= 4
			c.SetVal(string(b))
		}
		return err
	}
}
func (garble) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// What does not come back as it was sent never becomes a filter.
func TestLoadingIsVerified(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(nil)
	client.AddHook(garble{})
	local, _ := blocked.New(5000, 0.01)
	if _, err := Load(ctx, client, "f", local); !errors.Is(err, blocked.ErrCorrupt) {
		t.Errorf("loading damaged: %v", err)
	}
	if _, err := Open(ctx, server.Client(nil), "f"); !errors.Is(err, ErrNotReady) {
		t.Errorf("opened: %v", err)
	}
}
