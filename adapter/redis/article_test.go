package redis

import (
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// articleFilter is the RedisBloomDupeFilter of the article, as it stands there: a
// bitmap under one key, 7 hashes, a GETBIT for each of them, and if a bit is
// missing a SETBIT for each, every command in a round trip of its own.
type articleFilter struct {
	client *redis.Client
	key    string
}

const (
	articleHashes = 7
	articleBits   = 1 << 30
)

func (a articleFilter) seen(url string) (bool, error) {
	offset := func(seed uint64) int64 { return int64(blocked.HashString(seed, url) % articleBits) }
	there := true
	for seed := range uint64(articleHashes) {
		bit, err := a.client.GetBit(ctx, a.key, offset(seed)).Result()
		if err != nil {
			return false, err
		}
		there = there && bit == 1
	}
	if there {
		return true, nil
	}
	for seed := range uint64(articleHashes) {
		if err := a.client.SetBit(ctx, a.key, offset(seed), 1).Err(); err != nil {
			return false, err
		}
	}
	return false, nil
}

func url(i uint64) string {
	return fmt.Sprintf("https://example.org/catalogue/item-%d.html?page=%d", i, i%7)
}
