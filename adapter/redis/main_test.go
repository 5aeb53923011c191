package redis

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/redis/go-redis/v9"
)

// silence drops what go-redis writes about servers that tests have killed.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

func TestMain(m *testing.M) {
	redis.SetLogger(silence{})
	os.Exit(redistest.Main(m, func(addr string) {
		if addr == "" {
			fmt.Println("there is no redis-server on the PATH: examples are left out")
			flag.Set("test.skip", "^Example")
		}
		os.Setenv("REDIS_ADDR", addr)
	}))
}
