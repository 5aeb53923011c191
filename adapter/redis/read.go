package redis

import (
	"context"
	"fmt"
	"sync"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/generic"
	"github.com/redis/go-redis/v9"
)

// read looks the keys up: their outcomes become absent or present, or unknown
// with an error.
func (s servers) read(ctx context.Context, ps []*probe) {
	s.atServers(ctx, ps, func(server *redis.Client, ps []*probe) {
		again := readIn(ctx, server.Pipeline(), ps)
		// Commands that a cluster sends elsewhere one by one could lose their
		// order. A transaction keeps it.
		for _, ps := range byShard(again) {
			readIn(ctx, s.cluster.TxPipeline(), ps)
		}
	})
}

// readIn gets the blocks of the keys and then the sentinels of their shards. That
// order matters: a shard that has its sentinel had it before, and so the blocks
// were the filter's. After a shard is lost, a late write may make a key of its name
// again, of zeros and some bits, which alone would look like an empty filter.
//
// It returns the probes that the server sent elsewhere.
func readIn(ctx context.Context, pipe redis.Pipeliner, ps []*probe) (redirects []*probe) {
	blocks := make([]*redis.StringCmd, len(ps))
	sentinels := make(map[*shard]*redis.StringCmd)
	for i, p := range ps {
		blocks[i] = pipe.GetRange(ctx, p.shard.key, p.at, p.at+generic.BlockBytes-1)
	}
	for _, p := range ps {
		if sentinels[p.shard] == nil {
			sentinels[p.shard] = pipe.GetRange(ctx, p.shard.key, p.shard.at, p.shard.at+checked-1)
		}
	}
	pipe.Exec(ctx) // its error is also that of the commands
	for i, p := range ps {
		block, sentinel := blocks[i], sentinels[p.shard]
		err := block.Err()
		if err == nil {
			err = sentinel.Err()
		}
		if redirected(err) {
			redirects = append(redirects, p)
		}
		p.judge(block.Val(), sentinel.Val(), err)
	}
	return redirects
}

// judge tests a key in its block.
func (p *probe) judge(block, sentinel string, err error) {
	p.err = nil
	if err != nil {
		p.fail(err)
		return
	}
	state := p.shard.state(sentinel)
	if state == 0 || len(block) != generic.BlockBytes {
		p.lose(fmt.Sprintf("has the sentinel %x, want %x", sentinel, p.shard.sentinel[:checked]))
		return
	}
	p.frozen = state == frozen
	var bytes [generic.BlockBytes]byte
	copy(bytes[:], block)
	v, err := blocked.ViewOf(bytes[:], blocked.Params{Blocks: 1, K: p.shard.k})
	if err != nil {
		p.fail(err)
		return
	}
	p.outcome = absent
	if v.HasHash(p.hash) {
		p.outcome = present
	}
}

// atServers calls do once for each server, at the same time, with the keys whose
// shards it has.
func (s servers) atServers(ctx context.Context, ps []*probe, do func(*redis.Client, []*probe)) {
	if s.single != nil {
		if len(ps) > 0 {
			do(s.single, ps)
		}
		return
	}
	groups := make(map[*redis.Client][]*probe)
	for _, ps := range byShard(ps) {
		server, err := s.of(ctx, ps[0].shard.key)
		for _, p := range ps {
			if err != nil {
				p.fail(err)
			}
		}
		if err == nil {
			groups[server] = append(groups[server], ps...)
		}
	}
	var wg sync.WaitGroup
	for server, ps := range groups {
		wg.Go(func() {
			do(server, ps)
			for _, p := range ps {
				s.failed(ctx, p.err)
			}
		})
	}
	wg.Wait()
}

// byShard sorts probes into those of each shard, in the order of the batch.
func byShard(ps []*probe) map[*shard][]*probe {
	m := make(map[*shard][]*probe)
	for _, p := range ps {
		m[p.shard] = append(m[p.shard], p)
	}
	return m
}
