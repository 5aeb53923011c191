package redis

import (
	"errors"
	"fmt"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// The errors of this package wrap one of these, an error of package blocked,
// fs.ErrExist or fs.ErrNotExist, or are those of go-redis and of the server.
var (
	// ErrFilterLost reports that a part of the filter is not in Redis any more:
	// it was evicted, deleted, flushed or replaced, or it expired. What was added
	// is forgotten, and the filter must be made anew.
	ErrFilterLost = errors.New("filter lost")

	// ErrNotReady reports a filter that somebody is making, or was making when
	// he died. Drop it or make it again with Replace.
	ErrNotReady = errors.New("filter is not ready")

	// ErrEviction reports a server that may evict the filter when memory runs
	// out. See AcceptEviction.
	ErrEviction = errors.New("server may evict the filter")

	// ErrNotReplicated reports that keys were added, and verdicts are right, but
	// that fewer servers than WithWait or WithWaitAOF asks for said in time that
	// they have them: a failover may forget them.
	ErrNotReplicated = errors.New("additions are not replicated")
)

// An UnknownError names the keys of which a call does not know what became of
// them. Has answers them with maybe; Add and TestAndAdd may have added them.
type UnknownError struct {
	Positions []int // in the batch, ascending; 0 if there was one key
	Keys      int   // in the batch
	Err       error // why
}

// Error names the first positions.
func (e *UnknownError) Error() string {
	const named = 8
	var list strings.Builder
	for i, p := range e.Positions[:min(len(e.Positions), named)] {
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprint(&list, p)
	}
	if len(e.Positions) > named {
		list.WriteString(", ...")
	}
	return fmt.Sprintf("linebloom: unknown for %d of %d keys (position %s): %v",
		len(e.Positions), e.Keys, list.String(), e.Err)
}

// Unwrap returns Err.
func (e *UnknownError) Unwrap() error { return e.Err }

func lost(key, found string) error {
	return fmt.Errorf("linebloom: %w: key %q %s", ErrFilterLost, key, found)
}

// refused reports whether err is an answer of the server, which did not execute
// the command then. A lost connection leaves that open.
func refused(err error) bool {
	var e redis.Error
	return errors.As(err, &e)
}

// redirected reports whether err sends the client to another server.
func redirected(err error) bool {
	return refused(err) && (redis.HasErrorPrefix(err, "MOVED ") || redis.HasErrorPrefix(err, "ASK ") ||
		redis.HasErrorPrefix(err, "TRYAGAIN"))
}

// wrongType reports whether a key holds something else than a string.
func wrongType(err error) bool {
	return refused(err) && redis.HasErrorPrefix(err, "WRONGTYPE")
}

// worse returns the more important of two errors: that the filter is lost goes
// before that a server did not answer.
func worse(a, b error) error {
	if a == nil || b != nil && !errors.Is(a, ErrFilterLost) && errors.Is(b, ErrFilterLost) {
		return b
	}
	return a
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("linebloom: %w: "+format, append([]any{blocked.ErrInvalid}, args...)...)
}
