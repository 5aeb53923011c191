package redis

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// check asks all servers whether they are primaries that keep what they are given.
// expires says whether the filter has a time to live.
func (c *config) check(ctx context.Context, s servers, expires bool) error {
	if err := c.wait.check(s); err != nil {
		return err
	}
	return s.forEach(ctx, func(ctx context.Context, server *redis.Client) error {
		pipe := server.Pipeline()
		memory, replication := pipe.Info(ctx, "memory"), pipe.Info(ctx, "replication")
		if _, err := pipe.Exec(ctx); err != nil {
			if c.acceptEviction && refused(err) {
				return nil
			}
			return fmt.Errorf("linebloom: %w: it does not tell its maxmemory-policy: %w", ErrEviction, err)
		}
		if role := field(replication.Val(), "role"); role == "slave" {
			return invalid("server %s is a replica, which may not have yet what was added", server.Options().Addr)
		}
		policy := field(memory.Val(), "maxmemory_policy")
		if c.acceptEviction || !evicts(policy, expires) {
			return nil
		}
		return fmt.Errorf("linebloom: %w: maxmemory-policy of %s is %q, want noeviction",
			ErrEviction, server.Options().Addr, policy)
	})
}

// evicts reports whether a policy lets a server drop the keys of a filter. One that
// is not known may.
func evicts(policy string, expires bool) bool {
	if strings.HasPrefix(policy, "volatile-") {
		return expires
	}
	return policy != "noeviction"
}

// field returns a field of what INFO returned.
func field(info, name string) string {
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
