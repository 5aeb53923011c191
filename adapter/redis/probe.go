package redis

import (
	"context"
	"errors"
)

// A probe is one key of a batch on its way through Redis.
type probe struct {
	shard   *shard
	hash    uint64
	at      int64 // where its block begins in the shard
	pos     int   // in the batch
	outcome outcome
	frozen  bool   // the shard was frozen when it was read, or before it was written
	settled bool   // err, if there is one, does not matter any more: the caller chose
	err     error  // why the outcome is unknown
	leader  *probe // the first of the same key in the batch, if that is another
}

// An outcome is what is known of a key.
type outcome uint8

const (
	unknown outcome = iota
	absent          // read: it is not there
	present         // read or written: it was there
	added           // written: it was not there
)

// lose notes that the shard is lost.
func (p *probe) lose(found string) { p.fail(lost(p.shard.key, found)) }

func (p *probe) fail(err error) {
	if wrongType(err) {
		err = lost(p.shard.key, "holds something else")
	}
	p.outcome, p.err = unknown, err
}

// missing returns the probes that were read and not found.
func missing(ps []*probe) []*probe {
	var m []*probe
	for _, p := range ps {
		if p.outcome == absent {
			m = append(m, p)
		}
	}
	return m
}

// leaders returns the first probe of each key. The others get to know it.
func leaders(ps []*probe) []*probe {
	if len(ps) == 1 {
		return ps
	}
	first := make(map[uint64]*probe, len(ps))
	all := make([]*probe, 0, len(ps))
	for _, p := range ps {
		if p.leader = first[p.hash]; p.leader == nil {
			first[p.hash] = p
			all = append(all, p)
		}
	}
	return all
}

// follow gives a later probe of a key the outcome that it would have behind the
// first.
func (p *probe) follow() {
	if p.leader == nil {
		return
	}
	p.outcome, p.err = p.leader.outcome, p.leader.err
	if p.outcome == added {
		p.outcome = present
	}
}

// verdict turns an outcome into a verdict. It decides as the caller wants where
// an answer was lost on its way, and marks the probe as settled.
func (c *config) verdict(ctx context.Context, p *probe) Verdict {
	switch {
	case p.outcome == added:
		return New
	case p.outcome == present:
		return Seen
	case c.unknownAs != Unknown && ctx.Err() == nil && !refused(p.err) && !errors.Is(p.err, ErrFilterLost):
		p.settled = true
		return c.unknownAs
	}
	return Unknown
}

// A report collects what went wrong in a batch.
type report struct {
	positions []int
	err       error
	other     error // does not make outcomes unknown
}

func (r *report) note(p *probe) {
	if p.outcome == unknown && !p.settled {
		r.positions = append(r.positions, p.pos)
		r.err = worse(r.err, p.err)
	}
}

func (r *report) also(err error) {
	if r.other == nil {
		r.other = err
	}
}

func (r *report) stopped() bool { return len(r.positions) > 0 }

// rest notes positions that were not tried because of what went wrong before.
func (r *report) rest(from, to int, skip func(pos int)) {
	for pos := from; pos < to; pos++ {
		skip(pos)
		r.positions = append(r.positions, pos)
	}
}

func (r *report) error(keys int) error {
	if len(r.positions) == 0 {
		return r.other
	}
	return &UnknownError{r.positions, keys, errors.Join(r.err, r.other)}
}
