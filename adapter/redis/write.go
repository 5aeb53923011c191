package redis

import (
	"context"
	"fmt"
	"sync"

	"github.com/linebloom/linebloom/generic"
	"github.com/redis/go-redis/v9"
)

// repeat says whether a command that got no answer may be sent again.
type repeat bool

const (
	once  repeat = false // the second answer would tell what the first one did
	again repeat = true
)

// A bitField is a BITFIELD command that sets the bits of a key in its block. The
// server executes it in one step and returns what the bits were before, and what
// tag and state of the sentinel are, so that the answer also says whether the
// bits are those of the filter.
type bitField struct {
	*redis.IntSliceCmd
	repeat repeat
}

// NoRetry tells go-redis whether it must not send the command again. Redirects of
// a cluster are followed all the same: who redirects has not executed anything.
func (b bitField) NoRetry() bool { return b.repeat == once }

func newBitField(ctx context.Context, p *probe, r repeat) bitField {
	args := make([]any, 0, 2+4*p.shard.k+6)
	args = append(args, "bitfield", p.shard.key)
	for i := range p.shard.k {
		args = append(args, "set", "u1", bitOffset(p.at, generic.Bit(uint32(p.hash>>32), i)), "1")
	}
	args = append(args, "get", "i64", 8*p.shard.at, "get", "u8", 8*(p.shard.at+atState))
	return bitField{redis.NewIntSliceCmd(ctx, args...), r}
}

// settle reads the answer. What go-redis says of errors is asked only if the
// answer is not whole: a lost connection is an error of all commands of a
// pipeline, also of those that were answered before.
func (b bitField) settle(p *probe) {
	answer, k := b.Val(), p.shard.k
	if len(answer) == k+2 {
		if state := p.shard.stateOf(answer[k], answer[k+1]); state != 0 {
			p.err, p.frozen, p.outcome = nil, state == frozen, present
			for _, bit := range answer[:k] {
				if bit == 0 {
					p.outcome = added
				}
			}
			return
		}
	}
	if err := b.Err(); err != nil {
		p.fail(err)
		return
	}
	p.lose(fmt.Sprintf("has no sentinel, or another: BITFIELD returned %d", answer))
}

// write sets the bits of the keys: their outcomes become added or present, or
// unknown with an error. The error that it returns itself wraps ErrNotReplicated
// and leaves the outcomes as they are.
func (s servers) write(ctx context.Context, ps []*probe, w wait, r repeat) error {
	var mu sync.Mutex
	var waited error
	s.atServers(ctx, ps, func(server *redis.Client, ps []*probe) {
		redirects, err := writeIn(ctx, server.Pipeline(), ps, w, r)
		if len(redirects) > 0 {
			writeIn(ctx, s.cluster.Pipeline(), redirects, wait{}, r)
			if w != (wait{}) {
				err = fmt.Errorf("linebloom: %w: %d keys were added while their shards moved", ErrNotReplicated, len(redirects))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if waited == nil {
			waited = err
		}
	})
	return waited
}

// writeIn returns the probes that the server sent elsewhere, and whether replicas
// did not confirm the others.
func writeIn(ctx context.Context, pipe redis.Pipeliner, ps []*probe, w wait, r repeat) (redirects []*probe, err error) {
	cmds := make([]bitField, len(ps))
	for i, p := range ps {
		cmds[i] = newBitField(ctx, p, r)
		pipe.Process(ctx, cmds[i])
	}
	confirmed := w.queue(ctx, pipe)
	pipe.Exec(ctx) // its error is also that of the commands
	for i, p := range ps {
		cmds[i].settle(p)
		if redirected(p.err) {
			redirects = append(redirects, p)
		}
	}
	return redirects, confirmed()
}
