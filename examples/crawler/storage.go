package main

import (
	"context"
	"fmt"

	"github.com/linebloom/linebloom/adapter/colly"
	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	goredis "github.com/redis/go-redis/v9"
)

// A storage is where the visited pages are kept, and what is to be said of it.
type storage struct {
	*colly.Storage
	bytes    float64
	capacity uint64
	rate     float64
	release  func() error
}

// close closes the storage. Calls after the first do nothing.
func (s *storage) close() error {
	release := s.release
	s.release = func() error { return nil }
	return release()
}

// described is what all kinds of filters say of themselves.
type described interface {
	Params() blocked.Params
	Capacity() uint64
	TargetFPRate() float64
}

// newStorage describes a filter: one that was there already need not be what the
// flags ask for.
func newStorage(s *colly.Storage, f described, release func() error) *storage {
	return &storage{s, float64(f.Params().Bytes()), f.Capacity(), f.TargetFPRate(), release}
}

// open opens the storage that the flags ask for, or makes it.
func open(c config) (*storage, error) {
	strict := colly.Options{Strict: true} // also when two ask at the same time
	switch c.storage {
	case "memory":
		f, err := blocked.NewAtomic(c.capacity, c.rate)
		if err != nil {
			return nil, err
		}
		return newStorage(colly.NewMemory(f, strict), f, func() error { return nil }), nil
	case "file":
		f, err := filterfile.OpenOrCreate(c.file, c.capacity, c.rate)
		if err != nil {
			return nil, err
		}
		return newStorage(colly.NewFile(f, strict), f, f.Close), nil
	case "redis":
		options, err := goredis.ParseURL(c.redis)
		if err != nil {
			return nil, err
		}
		client, ctx := goredis.NewClient(options), context.Background()
		f, err := redis.OpenOrCreate(ctx, client, c.name, c.capacity, c.rate)
		if err != nil {
			client.Close()
			return nil, err
		}
		return newStorage(colly.NewRedis(ctx, client, f, strict), f, client.Close), nil
	}
	return nil, fmt.Errorf("storage %q, want memory, file or redis", c.storage)
}
