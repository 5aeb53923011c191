package colly

import (
	"context"

	"github.com/linebloom/linebloom/adapter/redis"
	goredis "github.com/redis/go-redis/v9"
)

// NewRedis returns a storage over a filter in Redis, for crawlers on many machines,
// with their cookies under keys that begin with the filter's name. The client is
// that of the filter. The context is that of all calls: when it ends, all pages are
// unknown.
//
// A page that was seen takes one round trip, a new one three: colly asks, and then
// adds. A page of which no answer came is refused with an error that wraps a
// redis.UnknownError, unless the filter was opened with redis.WithUnknownAs. So is
// one that redis.WithWait finds on too few replicas, although it is new. A filter
// that was lost refuses all pages.
func NewRedis(ctx context.Context, client goredis.UniversalClient, f *redis.Filter, o Options) *Storage {
	s := NewStorage(remote{ctx, f, f.Params().Seed}, o)
	s.cookies = remoteCookies{ctx, client, f.Name() + ":cookies:", o.Log}
	return s
}

type remote struct {
	ctx  context.Context
	f    *redis.Filter
	seed uint64
}

func (r remote) Seed() uint64 { return r.seed }

func (r remote) HasHash(h uint64) (bool, error) { return r.f.HasHash(r.ctx, h) }

func (r remote) TestAndAddHash(h uint64) (bool, error) {
	v, err := r.f.TestAndAddHash(r.ctx, h)
	return v != redis.New, err
}
