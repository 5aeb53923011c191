package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

func newRedisCreate(std streams, s *server) *cobra.Command {
	var (
		capacity uint64
		rate     float64
		making   redisMaking
	)
	cmd := &cobra.Command{
		Use:   "create NAME -n CAPACITY",
		Short: "Make an empty filter in Redis",
		Long: `Create makes an empty filter NAME for CAPACITY keys in Redis. All of its memory
is used at once. It exits with 0, or with 2 on an error.`,
		Example: `  linebloom redis create crawl -n 100M -p 1e-6
  linebloom redis create today -n 1M --ttl 24h`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := oneName(args)
			if err != nil {
				return err
			}
			if capacity == 0 {
				return errors.New("say for how many keys, with --capacity N")
			}
			return s.with(cmd, func(ctx context.Context) error {
				f, err := redis.Create(ctx, s.client, name, capacity, rate, s.options(making.options()...)...)
				return making.report(std, ctx, name, f, err)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(countFlag(&capacity, 0), "capacity", "n", "number of distinct keys")
	flags.VarP(rateFlag(&rate, defaultRate), "rate", "p", "false positive rate")
	making.addFlags(cmd)
	return cmd
}

func newRedisLoad(std streams, s *server) *cobra.Command {
	var making redisMaking
	cmd := &cobra.Command{
		Use:   "load NAME FILE",
		Short: "Put a filter file into Redis",
		Long: `Load puts the filter in FILE into Redis as NAME. Every byte is verified before
it is sent, and read back before anybody can use it. It exits with 0, or with 2
on an error.`,
		Example: `  linebloom build -o seen.lbf seen.txt
  linebloom redis load crawl seen.lbf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name the filter in Redis and the file")
			}
			file, err := openFilter(args[1], filterfile.Options{})
			if err != nil {
				return err
			}
			defer file.Close()
			return s.with(cmd, func(ctx context.Context) error {
				f, err := redis.Load(ctx, s.client, args[0], file, s.options(making.options()...)...)
				return making.report(std, ctx, args[0], f, err)
			})
		},
	}
	cmd.Flags().SortFlags = false
	making.addFlags(cmd)
	return cmd
}

// redisMaking is how a filter is made in Redis.
type redisMaking struct {
	ttl   time.Duration
	force bool
	quiet bool
}

func (m *redisMaking) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.DurationVar(&m.ttl, "ttl", 0, "the filter vanishes after this `TIME`, 24h for example")
	flags.BoolVar(&m.force, "force", false, "replace a filter of that name")
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "do not print what was made")
}

func (m *redisMaking) options() (opts []redis.Option) {
	if m.ttl != 0 {
		opts = append(opts, redis.WithTTL(m.ttl))
	}
	if m.force {
		opts = append(opts, redis.Replace())
	}
	return opts
}

// report tells what was made.
func (m *redisMaking) report(std streams, ctx context.Context, name string, f *redis.Filter, err error) error {
	if err != nil {
		return explainRedis(name, err)
	}
	if m.quiet {
		return nil
	}
	i, err := f.Info(ctx)
	if err != nil {
		return explainRedis(name, err)
	}
	fmt.Fprintf(std.err, "%s: %s in %s, for %s keys at a rate of %.3g\n", name,
		sizeText(i.Bytes), plural(i.Shards, "shard"), thousands(i.Capacity), i.FPRate)
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", thousands(n), what)
}

func newRedisSave(std streams, s *server) *cobra.Command {
	var (
		path  string
		force bool
	)
	cmd := &cobra.Command{
		Use:   "save NAME -o FILE",
		Short: "Save a filter that is in Redis to a file",
		Long: `Save writes the filter NAME that is in Redis to FILE, a filter file as build
makes it. What is added meanwhile may be in it or not. It exits with 0, or with
2 on an error.`,
		Example: `  linebloom redis save crawl -o crawl.lbf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := oneName(args)
			if err != nil {
				return err
			}
			d, err := newDraft(path, force)
			if err != nil {
				return err
			}
			defer d.discard()
			return s.with(cmd, func(ctx context.Context) error {
				f, err := s.open(ctx, name)
				if err != nil {
					return err
				}
				saved, err := f.Save(ctx)
				if err != nil {
					return explainRedis(name, err)
				}
				return d.save(ctx, saved)
			})
		},
	}
	cmd.Flags().SortFlags = false
	addOutputFlags(cmd, &path, &force)
	return cmd
}

func newRedisDrop(std streams, s *server) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drop NAME",
		Short: "Remove a filter from Redis",
		Long: `Drop removes the filter NAME, or what is left of it, from Redis. It exits with
0, or with 2 on an error.`,
		Example: `  linebloom redis drop crawl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := oneName(args)
			if err != nil {
				return err
			}
			return s.with(cmd, func(ctx context.Context) error {
				return explainRedis(name, redis.Drop(ctx, s.client, name))
			})
		},
	}
	return cmd
}

// redisInfo is what there is to say of a filter in Redis.
type redisInfo struct {
	Name           string         `json:"name"`
	ID             string         `json:"id"`
	Shards         int            `json:"shards"`
	Bytes          uint64         `json:"bytes"`
	Params         blocked.Params `json:"-"`
	Blocks         uint64         `json:"blocks"`
	K              int            `json:"k"`
	Seed           string         `json:"seed"`
	Capacity       uint64         `json:"capacity"`
	TargetRate     float64        `json:"target_rate"`
	FillRatio      float64        `json:"fill_ratio"`
	EstimatedCount float64        `json:"estimated_count"`
	Seconds        *float64       `json:"expires_in_seconds"`
}

func newRedisInfo(std streams, s *server) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info NAME",
		Short: "Describe a filter that is in Redis",
		Long: `Info prints where the filter NAME lies in Redis, what it was made for and how
full it is. It exits with 0, or with 2 on an error.`,
		Example: `  linebloom redis info crawl
  linebloom redis info --json crawl | jq .estimated_count`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := oneName(args)
			if err != nil {
				return err
			}
			return s.with(cmd, func(ctx context.Context) error {
				f, err := s.open(ctx, name)
				if err != nil {
					return err
				}
				i, err := f.Info(ctx)
				if err != nil {
					return explainRedis(name, err)
				}
				return printRedisInfo(std, i, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printRedisInfo(std streams, i redis.Info, asJSON bool) error {
	seconds := i.TTL.Seconds()
	r := redisInfo{
		Name: i.Name, ID: fmt.Sprintf("%x", i.ID), Shards: i.Shards, Bytes: i.Bytes,
		Blocks: i.Params.Blocks, K: i.Params.K, Seed: fmt.Sprintf("%#x", i.Params.Seed),
		Capacity: i.Capacity, TargetRate: i.FPRate,
		FillRatio: i.FillRatio(), EstimatedCount: i.EstimateCount(),
	}
	if i.TTL >= 0 {
		r.Seconds = &seconds
	}
	if asJSON {
		return printJSON(std.out, r)
	}
	expires := "never"
	if i.TTL >= 0 {
		expires = "in " + i.TTL.Round(time.Second).String()
	}
	_, err := fmt.Fprintf(std.out, `name        %s
id          %s
memory      %s in %s
blocks      %s of 64 bytes, k = %d, seed %s
capacity    %s keys at a rate of %.3g
full        %.1f %% of the bits, about %s keys
expires     %s
`, r.Name, r.ID, sizeText(r.Bytes), plural(r.Shards, "shard"), thousands(r.Blocks), r.K, r.Seed,
		thousands(r.Capacity), r.TargetRate, 100*r.FillRatio, thousands(uint64(r.EstimatedCount+0.5)), expires)
	return err
}
