package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A claim is a key of a batch on its way through a window.
type claim struct {
	hash uint64
	pos  int
	err  error
	// clean are the generations in which this call set bits of the key when they
	// were frozen already, and in which the key was not before.
	clean []uint64
	junk  string // the key of a shard that was not there when it was written to
}

func (w *Window) has(ctx context.Context, dst []uint64, hashes []uint64) error {
	mark := func(pos int) { dst[pos/64] |= 1 << (pos % 64) }
	return w.inParts(ctx, hashes, reading, mark, func(g *generations, cs []*claim, rep *report) (left []*claim) {
		for i, ps := range w.look(ctx, g, cs) {
			switch o, err := judge(ps); {
			case o == present:
				mark(cs[i].pos)
			case o == unknown || ps[0].frozen:
				cs[i].err = err
				left = append(left, cs[i])
			}
		}
		return left
	})
}

func (w *Window) add(ctx context.Context, hashes []uint64) error {
	return w.inParts(ctx, hashes, writing, func(int) {}, func(g *generations, cs []*claim, rep *report) (left []*claim) {
		ps := make([]*probe, len(cs))
		for i, c := range cs {
			ps[i] = g.filters[0].probe(c.hash, c.pos)
		}
		rep.also(w.servers.write(ctx, ps, w.config.wait, again))
		for i, p := range ps {
			if p.outcome == unknown || p.frozen {
				cs[i].err, cs[i].junk = p.err, p.shard.key
				left = append(left, cs[i])
			}
		}
		return left
	})
}

func (w *Window) testAndAdd(ctx context.Context, verdicts []Verdict, hashes []uint64) error {
	skip := func(pos int) { verdicts[pos] = Unknown }
	return w.inParts(ctx, hashes, writing, skip, func(g *generations, cs []*claim, rep *report) (left []*claim) {
		var ps []*probe
		var writers []*claim
		for i, all := range w.look(ctx, g, cs) {
			c := cs[i]
			switch o, err := judge(all); {
			case o == present:
				verdicts[c.pos] = Seen
			case o == unknown || all[0].frozen:
				c.err = err
				left = append(left, c)
			default:
				ps, writers = append(ps, g.filters[0].probe(c.hash, c.pos)), append(writers, c)
			}
		}
		rep.also(w.servers.write(ctx, ps, w.config.wait, once))
		for i, p := range ps {
			c := writers[i]
			switch {
			case p.outcome == added && p.frozen:
				// The freeze came between reading and writing. Of those to whom
				// that happened only the first gets here, the others find its
				// bits. It goes on to the next generation, where it competes with
				// those who looked here before.
				c.clean = append(c.clean, g.record.current)
				left = append(left, c)
			case p.outcome == unknown && errors.Is(p.err, ErrFilterLost):
				c.err, c.junk = p.err, p.shard.key // perhaps the generation was dropped
				left = append(left, c)
			default:
				verdicts[c.pos] = w.config.verdict(ctx, p)
				rep.note(p)
			}
		}
		return left
	})
}

// look reads the keys in all generations, the newest first.
func (w *Window) look(ctx context.Context, g *generations, cs []*claim) [][]*probe {
	perKey := make([][]*probe, len(cs))
	all := make([]*probe, 0, len(cs)*len(g.filters))
	for i, c := range cs {
		for j, f := range g.filters {
			p := f.probe(c.hash, c.pos)
			perKey[i] = append(perKey[i], p)
			if slices.Contains(c.clean, g.record.current-uint64(j)) {
				p.outcome, p.frozen = absent, true
				continue
			}
			all = append(all, p)
		}
	}
	w.servers.read(ctx, all)
	return perKey
}

// judge combines what the generations say of a key.
func judge(ps []*probe) (o outcome, err error) {
	o = absent
	for _, p := range ps {
		switch p.outcome {
		case present:
			return present, nil
		case unknown:
			o, err = unknown, worse(err, p.err)
		}
	}
	return o, err
}

// An access says what to do about a generation that is frozen although the window
// names no newer one. Readers need nothing: nobody has added to a newer one yet.
// Writers finish what somebody began.
type access bool

const (
	reading access = false
	writing access = true
)

// maxTries bounds how often a call starts again because others rotate.
const maxTries = 100

// inParts calls do for the hashes, some thousands at a time. do returns the keys
// whose answer is open because a generation was frozen (without an error) or could
// not be asked (with one). If the window has rotated they start again.
func (w *Window) inParts(ctx context.Context, hashes []uint64, a access, skip func(pos int), do func(*generations, []*claim, *report) []*claim) error {
	var rep report
	for at := 0; at < len(hashes); at += maxPipeline {
		if rep.stopped() {
			rep.rest(at, len(hashes), skip)
			break
		}
		part := hashes[at:min(at+maxPipeline, len(hashes))]
		cs := make([]*claim, len(part))
		for i, h := range part {
			cs[i] = &claim{hash: h, pos: at + i}
		}
		for try := 0; len(cs) > 0; try++ {
			g := w.now.Load()
			cs = w.again(ctx, g, do(g, cs, &rep), a, func(c *claim) {
				skip(c.pos)
				rep.note(&probe{pos: c.pos, err: c.err})
			}, try)
		}
	}
	return rep.error(len(hashes))
}

// again finds out whether claims can be tried again, returns these, and gives up
// the others.
func (w *Window) again(ctx context.Context, g *generations, left []*claim, a access, giveUp func(*claim), try int) (next []*claim) {
	if len(left) == 0 {
		return nil
	}
	changed, err := w.refresh(ctx, g)
	if changed && g.record.current < w.now.Load().oldest() {
		w.clean(ctx, left)
	}
	for _, c := range left {
		switch {
		case err == nil && changed && try < maxTries:
			c.err = nil
			next = append(next, c)
		case c.err == nil && err == nil && !changed && a == reading:
			// The answer is no.
		case c.err == nil && err == nil && try < maxTries:
			next = append(next, c)
		default:
			c.err = worse(c.err, err)
			if c.err == nil {
				c.err = fmt.Errorf("linebloom: %w: the window rotated %d times meanwhile", ErrNotReady, try)
			}
			giveUp(c)
		}
	}
	if len(next) > 0 && !changed {
		if err := w.rotate(ctx, g.record); err != nil {
			for _, c := range next {
				c.err = err
				giveUp(c)
			}
			return nil
		}
	}
	return next
}

// clean removes what writes have left of generations that were dropped before. The
// number of a generation is never used again. Nobody reads what is left, so that
// a failure does not matter.
func (w *Window) clean(ctx context.Context, cs []*claim) {
	pipe := w.servers.universal().Pipeline()
	for _, c := range cs {
		if c.junk != "" {
			pipe.Unlink(ctx, c.junk)
			c.junk = ""
		}
	}
	pipe.Exec(ctx)
}
