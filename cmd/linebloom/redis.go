package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/linebloom/linebloom/adapter/redis"
	goredis "github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
)

// A server is the Redis that the flags of redis name.
type server struct {
	url      string
	cluster  bool
	evicting bool
	replicas int

	client goredis.UniversalClient
}

func newRedis(std streams) *cobra.Command {
	var s server
	cmd := &cobra.Command{
		Use:   "redis",
		Short: "Use a filter in Redis, from many machines",
		Long: `The commands of redis make and use filters in Redis or Valkey, one server or a
cluster, that any number of machines share. What is known of a filter there:
a line that is new to it is new to the whole fleet, and is told so to one.

URL is redis://USER:PASSWORD@HOST:PORT/DATABASE, rediss:// for TLS, or
unix:///PATH. With --cluster it names a node of a cluster, and ?addr=HOST:PORT
more of them. Without --url it is that of the variable REDIS_URL, or
redis://localhost:6379.

What was evicted, flushed or lost is an error, and never a line that was not
there. A server that evicts keys when its memory is full is refused.`,
		Example: `  linebloom redis create --url redis://db:6379 crawl -n 100M -p 1e-6
  crawler | linebloom redis add --new-only crawl   # new to the fleet`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := cmd.PersistentFlags()
	flags.SortFlags = false
	url := os.Getenv("REDIS_URL")
	if url == "" {
		url = "redis://localhost:6379"
	}
	flags.StringVar(&s.url, "url", url, "`URL` of the server")
	flags.Lookup("url").DefValue = "" // it may hold a password
	flags.BoolVar(&s.cluster, "cluster", false, "the server is a node of a cluster")
	flags.BoolVar(&s.evicting, "accept-eviction", false, "take a server that evicts keys")
	flags.IntVar(&s.replicas, "wait", 0, "wait until so many `REPLICAS` have what is added")
	cmd.AddCommand(
		newRedisCreate(std, &s), newRedisLoad(std, &s), newRedisAdd(std, &s), newRedisCheck(std, &s),
		newRedisInfo(std, &s), newRedisSave(std, &s), newRedisDrop(std, &s),
	)
	return cmd
}

// replicaWait is how long an adding waits for replicas, less than a client waits for
// an answer.
const replicaWait = 2 * time.Second

// with calls f with a client of the server.
func (s *server) with(cmd *cobra.Command, f func(ctx context.Context) error) error {
	if err := s.connect(); err != nil {
		return err
	}
	defer s.client.Close()
	ctx, stop := stopOnSignal(cmd.Context())
	defer stop()
	err := f(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (s *server) connect() error {
	silenceOnce()
	if s.cluster {
		opts, err := goredis.ParseClusterURL(s.url)
		if err != nil {
			return fmt.Errorf("--url: %w", err)
		}
		opts.ContextTimeoutEnabled = true
		s.client = goredis.NewClusterClient(opts)
		return nil
	}
	opts, err := goredis.ParseURL(s.url)
	if err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	opts.ContextTimeoutEnabled = true
	s.client = goredis.NewClient(opts)
	return nil
}

// silenceOnce turns the log of go-redis off: what fails is an error of the command.
var silenceOnce = sync.OnceFunc(func() { goredis.SetLogger(silence{}) })

// silence is a log that nobody reads.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

func (s *server) options(more ...redis.Option) []redis.Option {
	if s.evicting {
		more = append(more, redis.AcceptEviction())
	}
	if s.replicas > 0 {
		more = append(more, redis.WithWait(s.replicas, replicaWait))
	}
	return more
}

// open opens a filter that is there.
func (s *server) open(ctx context.Context, name string, more ...redis.Option) (*redis.Filter, error) {
	f, err := redis.Open(ctx, s.client, name, s.options(more...)...)
	return f, explainRedis(name, err)
}

// explainRedis says what to do about an error.
func explainRedis(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no filter %s in Redis; redis create makes one, redis load takes a file", name)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("a filter %s is in Redis; choose another name, or replace it with --force", name)
	case errors.Is(err, redis.ErrEviction):
		return fmt.Errorf("%w; --accept-eviction takes it, and what is evicted is an error then", err)
	case errors.Is(err, redis.ErrFilterLost):
		return fmt.Errorf("%w; redis drop removes what is left of it", err)
	}
	return err
}

// oneName returns the only argument.
func oneName(args []string) (string, error) {
	if len(args) != 1 {
		return "", errors.New("name one filter in Redis")
	}
	return args[0], nil
}
