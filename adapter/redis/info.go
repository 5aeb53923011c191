package redis

import (
	"context"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// Info is what is known of a filter in Redis.
type Info struct {
	Name     string
	ID       [16]byte // random, given when the filter was made
	Params   blocked.Params
	Capacity uint64  // number of keys that it was made for; 0: not known
	FPRate   float64 // false positive rate that was asked for; 0: not known
	Metadata []byte  // of the file that was loaded
	Shards   int
	Bytes    uint64        // of all shards with their sentinels
	TTL      time.Duration // negative: for ever
	BitsSet  uint64
}

// FillRatio returns the fraction of bits that are set, 0 to 1.
func (i Info) FillRatio() float64 { return float64(i.BitsSet) / float64(8*i.Params.Bytes()) }

// EstimateCount returns an estimate of the number of distinct keys, as
// blocked.Filter.EstimateCount does.
func (i Info) EstimateCount() float64 { return i.Params.EstimateCount(i.BitsSet) }

// Info asks the servers about the filter, and lets them count the bits that are
// set, which takes them some milliseconds for each shard. If a part of the filter
// is not there the error wraps ErrFilterLost.
func (f *Filter) Info(ctx context.Context) (Info, error) {
	ttl, err := f.TTL(ctx)
	if err != nil {
		return Info{}, err
	}
	counts := make([]*redis.IntCmd, len(f.shards))
	err = f.servers.pipelined(ctx, len(f.shards), func(pipe redis.Pipeliner, i int) {
		counts[i] = pipe.BitCount(ctx, f.shards[i].key, &redis.BitCount{Start: 0, End: f.shards[i].at - 1})
	})
	if err != nil && !wrongType(err) {
		return Info{}, err
	}
	if err := f.checkShards(ctx); err != nil {
		return Info{}, err
	}
	h := &f.record.header
	info := Info{
		Name: f.name, ID: f.record.id, Params: f.record.params, Capacity: h.Capacity, FPRate: h.FPRate,
		Metadata: h.Metadata, Shards: len(f.shards), TTL: ttl,
		Bytes: f.record.params.Bytes() + uint64(len(f.shards))*sentinelBytes,
	}
	for _, n := range counts {
		info.BitsSet += uint64(n.Val())
	}
	return info, nil
}
