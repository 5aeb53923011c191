package redis

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"
)

// silence drops what go-redis writes about servers that tests have killed.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

func TestMain(m *testing.M) {
	redis.SetLogger(silence{})
	m.Run()
}
