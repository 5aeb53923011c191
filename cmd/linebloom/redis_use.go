package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/spf13/cobra"
)

func newRedisAdd(std streams, s *server) *cobra.Command {
	a := redisAdding{std: std}
	cmd := &cobra.Command{
		Use:   "add NAME [INPUT...]",
		Short: "Add input lines to a filter in Redis",
		Long: `Add adds the lines of the INPUTs (standard input if there are none, or for "-")
to the filter NAME in Redis, and tells how many were new and how many were
probably there before. A line that several clients add is new for one.

With --new-only it prints the lines that were new. It exits with 0, or with
--new-only with 1 if no line was, and with 2 on an error.

If the answer of the server does not arrive, nobody knows whether a line was
new: asking again would get "seen". Add then tells how many lines that are, and
stops; with --unknown new they are taken for new, and may be so twice, with
--unknown seen they are taken for repeated, and may be missed.`,
		Example: `  linebloom redis add crawl urls.txt
  crawler | linebloom redis add --new-only crawl | fetcher`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the filter in Redis to add to")
			}
			if err := a.check(cmd); err != nil {
				return err
			}
			return s.with(cmd, func(ctx context.Context) error { return a.run(ctx, s, args[0], args[1:]) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&a.newOnly, "new-only", false, "print the lines that were new")
	flags.StringVar(&a.unknown, "unknown", "error", "what lines are whose answer is lost: error, new\nor seen")
	a.format.addFlags(cmd)
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "do not print the numbers")
	return cmd
}

// redisAdding is a run of redis add.
type redisAdding struct {
	std     streams
	newOnly bool
	unknown string
	quiet   bool
	format  lineFormat

	out             output
	verdicts        []redis.Verdict
	fresh, repeated uint64
	broken          bool
}

func (a *redisAdding) check(cmd *cobra.Command) error {
	switch a.unknown {
	case "error", "new", "seen":
		return a.format.check(cmd)
	}
	return fmt.Errorf("--unknown is %q, want error, new or seen", a.unknown)
}

func (a *redisAdding) options() []redis.Option {
	switch a.unknown {
	case "new":
		return []redis.Option{redis.WithUnknownAs(redis.New)}
	case "seen":
		return []redis.Option{redis.WithUnknownAs(redis.Seen)}
	}
	return nil
}

func (a *redisAdding) run(ctx context.Context, s *server, name string, inputs []string) error {
	f, err := s.open(ctx, name, a.options()...)
	if err != nil {
		return err
	}
	a.out = output{w: a.std.out, what: "the output", end: a.format.end()}
	err = a.format.readEach(ctx, a.std, inputs, func(err error) {
		a.broken = true
		complain(a.std, err)
	}, func(lines, keys [][]byte) error { return a.add(ctx, f, lines, keys) })
	if err != nil {
		return explainRedis(name, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !a.quiet && !a.newOnly {
		fmt.Fprintf(a.std.err, "%s: %s new, %s probably there before\n", name, thousands(a.fresh), thousands(a.repeated))
	}
	switch {
	case a.broken:
		return exitCode(exitTrouble)
	case a.newOnly && a.fresh == 0:
		return exitCode(exitNone)
	}
	return nil
}

// add adds a batch. Lines whose verdict is known are told, whatever becomes of the
// others.
func (a *redisAdding) add(ctx context.Context, f *redis.Filter, lines, keys [][]byte) error {
	if len(a.verdicts) < len(keys) {
		a.verdicts = make([]redis.Verdict, 2*len(keys))
	}
	verdicts := a.verdicts[:len(keys)]
	clear(verdicts)
	_, failed := f.TestAndAddKeys(ctx, verdicts, keys)
	for i, v := range verdicts {
		switch v {
		case redis.New:
			a.fresh++
			if a.newOnly {
				a.out.addBare(lines[i])
			}
		case redis.Seen:
			a.repeated++
		}
	}
	if err := a.out.flush(); err != nil {
		return err
	}
	return failed
}

func newRedisCheck(std streams, s *server) *cobra.Command {
	var (
		c      checker
		format lineFormat
	)
	cmd := &cobra.Command{
		Use:   "check NAME [INPUT...]",
		Short: "Print the input lines that may be in a filter in Redis",
		Long: `Check prints each line of the INPUTs (standard input if there are none, or for
"-") that may be in the filter NAME in Redis. Like grep, it exits with 0 if a
line was selected, 1 if none was and 2 on an error.`,
		Example: `  linebloom redis check crawl frontier.txt
  linebloom redis check -v crawl frontier.txt   # certainly new`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the filter in Redis to ask")
			}
			if err := format.check(cmd); err != nil {
				return err
			}
			return s.with(cmd, func(ctx context.Context) error {
				f, err := s.open(ctx, args[0])
				if err != nil {
					return err
				}
				c.out = bufio.NewWriterSize(std.out, 64<<10)
				c.add(args[0], &redisAsked{ctx: ctx, Filter: f})
				return explainRedis(args[0], c.answer(ctx, std, &format, args[1:]))
			})
		},
	}
	cmd.Flags().SortFlags = false
	c.addFlags(cmd)
	format.addFlags(cmd)
	return cmd
}

// redisAsked is a filter in Redis, whose answers may not arrive.
type redisAsked struct {
	*redis.Filter
	ctx context.Context
	err error
}

// failure returns the error of the last batch, which has no answers then.
func (r *redisAsked) failure() error { return r.err }

func (r *redisAsked) HasKeys(answers []uint64, keys [][]byte) (hits int) {
	hits, r.err = r.Filter.HasKeys(r.ctx, answers, keys)
	return hits
}
