package redis

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// checkShard checks that a shard is there, by its sentinel and its size.
func (f *Filter) checkShard(ctx context.Context, i int) error {
	sh := &f.shards[i]
	return sh.check(f.servers.universal().GetRange(ctx, sh.key, sh.at, sh.at+sentinelBytes))
}

// checkShards checks all shards.
func (f *Filter) checkShards(ctx context.Context) error {
	found := make([]*redis.StringCmd, len(f.shards))
	err := f.servers.pipelined(ctx, len(f.shards), func(pipe redis.Pipeliner, i int) {
		sh := &f.shards[i]
		found[i] = pipe.GetRange(ctx, sh.key, sh.at, sh.at+sentinelBytes)
	})
	if err != nil && !wrongType(err) {
		return err
	}
	for i := range f.shards {
		if err := f.shards[i].check(found[i]); err != nil {
			return err
		}
	}
	return nil
}

// check checks what a shard has from its sentinel on, which is nothing else.
func (s *shard) check(found *redis.StringCmd) error {
	switch err := found.Err(); {
	case wrongType(err):
		return lost(s.key, "holds something else")
	case err != nil:
		return err
	}
	if got := found.Val(); s.state(got) == 0 || got[checked:] != string(s.sentinel[checked:]) {
		return lost(s.key, fmt.Sprintf("ends with the sentinel %x, want %x", got, s.sentinel))
	}
	return nil
}
