package redis

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// queue puts the command that waits for replicas behind the writes of a pipeline,
// and returns a function that tells, after the pipeline, what came of it.
func (w wait) queue(ctx context.Context, pipe redis.Pipeliner) (confirmed func() error) {
	ms := w.timeout.Milliseconds()
	switch {
	case w == wait{}:
		return func() error { return nil }
	case w.aof:
		cmd := redis.NewIntSliceCmd(ctx, "waitaof", w.local, w.replicas, ms)
		pipe.Process(ctx, cmd)
		return func() error {
			if err := cmd.Err(); err != nil {
				return fmt.Errorf("linebloom: %w: %w", ErrNotReplicated, err)
			}
			got := cmd.Val()
			if len(got) != 2 || got[0] < int64(w.local) || got[1] < int64(w.replicas) {
				return fmt.Errorf("linebloom: %w: on disk of %d servers (local, replicas) after %v, want [%d %d]",
					ErrNotReplicated, got, w.timeout, w.local, w.replicas)
			}
			return nil
		}
	}
	cmd := redis.NewIntCmd(ctx, "wait", w.replicas, ms)
	pipe.Process(ctx, cmd)
	return func() error {
		if err := cmd.Err(); err != nil {
			return fmt.Errorf("linebloom: %w: %w", ErrNotReplicated, err)
		}
		if got := cmd.Val(); got < int64(w.replicas) {
			return fmt.Errorf("linebloom: %w: to %d replicas after %v, want %d", ErrNotReplicated, got, w.timeout, w.replicas)
		}
		return nil
	}
}

// check compares the time to wait with that after which the client gives up.
func (w wait) check(s servers) error {
	if w == (wait{}) {
		return nil
	}
	limit := s.readTimeout()
	if limit > 0 && w.timeout >= limit {
		return invalid("waiting %v for replicas, want less than the client's ReadTimeout of %v", w.timeout, limit)
	}
	return nil
}
