package redis

import (
	"context"

	"github.com/linebloom/linebloom/blocked"
)

// A Filter is a blocked Bloom filter in Redis. It may be used by any number of
// goroutines, and the same filter by any number of clients. Make one with Create,
// OpenOrCreate, Load or Open. It has nothing to close: the client is the caller's.
type Filter struct {
	byKey
	servers servers
	config  config
	name    string
	record  record
	shards  []shard
}

// A shard is a part of a filter's blocks, under one key of Redis.
type shard struct {
	key      string
	sentinel [sentinelBytes]byte // while it is open
	at       int64               // where the sentinel is: the size of the blocks
	k        int
}

// newFilter returns a filter whose record was read, or written.
func newFilter(s servers, name string, c config, r record) *Filter {
	f := &Filter{servers: s, config: c, name: name, record: r, shards: make([]shard, r.layout.shards)}
	for i := range f.shards {
		f.shards[i] = shard{shardKey(name, i), r.sentinel(r.id, i), r.size(i), r.params.K}
	}
	f.byKey = byKey{f, r.params.Seed}
	return f
}

// Name returns the filter's name.
func (f *Filter) Name() string { return f.name }

// Params returns the geometry of the filter.
func (f *Filter) Params() blocked.Params { return f.record.params }

// Capacity returns the number of keys that the filter was made for; 0: not known.
func (f *Filter) Capacity() uint64 { return f.record.header.Capacity }

// TargetFPRate returns the rate that was asked for; 0: not known.
func (f *Filter) TargetFPRate() float64 { return f.record.header.FPRate }

func (f *Filter) has(ctx context.Context, dst []uint64, hashes []uint64) error {
	mark := func(pos int) { dst[pos/64] |= 1 << (pos % 64) }
	return f.inParts(hashes, func(ps []*probe) error {
		f.servers.read(ctx, ps)
		return nil
	}, func(p *probe) {
		if p.outcome != absent { // also where it is unknown
			mark(p.pos)
		}
	}, mark)
}

// add adds a batch. It does not read first, which would cost one round trip more.
// To add a key again does no harm, so the commands may be sent again.
func (f *Filter) add(ctx context.Context, hashes []uint64) error {
	return f.inParts(hashes, func(ps []*probe) error {
		return f.servers.write(ctx, ps, f.config.wait, again)
	}, func(*probe) {}, func(int) {})
}

func (f *Filter) testAndAdd(ctx context.Context, verdicts []Verdict, hashes []uint64) error {
	return f.inParts(hashes, func(ps []*probe) error {
		f.servers.read(ctx, ps)
		return f.servers.write(ctx, missing(ps), f.config.wait, once)
	}, func(p *probe) {
		verdicts[p.pos] = f.config.verdict(ctx, p)
	}, func(pos int) { verdicts[pos] = Unknown })
}

// maxPipeline is how many keys go to Redis at a time.
const maxPipeline = 10_000

// inParts calls do for probes of the hashes, some thousands at a time, each key
// once, and then use for every probe. It returns what they failed with. After a
// failure it stops, and calls skip for the positions that are left.
func (f *Filter) inParts(hashes []uint64, do func([]*probe) error, use func(*probe), skip func(pos int)) error {
	var rep report
	for at := 0; at < len(hashes); at += maxPipeline {
		if rep.stopped() {
			rep.rest(at, len(hashes), skip)
			break
		}
		ps := f.probes(hashes[at:min(at+maxPipeline, len(hashes))], at)
		rep.also(do(leaders(ps)))
		for _, p := range ps {
			p.follow()
			use(p)
			rep.note(p)
		}
	}
	return rep.error(len(hashes))
}

// probes returns probes of the hashes, the first of which is at pos in the batch.
func (f *Filter) probes(hashes []uint64, pos int) []*probe {
	ps := make([]*probe, len(hashes))
	for i, h := range hashes {
		ps[i] = f.probe(h, pos+i)
	}
	return ps
}

func (f *Filter) probe(h uint64, pos int) *probe {
	n, at := f.record.place(h)
	return &probe{shard: &f.shards[n], hash: h, at: at, pos: pos}
}
