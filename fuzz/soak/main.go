package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

// A total is what became of a stage.
type total struct {
	name     string
	runs     int
	failures int
	spent    time.Duration
}

// run runs stages until the time is over and reports whether one has failed.
func run(ctx context.Context, args []string, out io.Writer) (failed bool, err error) {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(out)
	minutes := flags.Float64("minutes", 10, "how long to go on; the stage that runs then is finished")
	only := flags.String("only", "", "run only stages whose name contains a match of `regexp`")
	fuzzing := flags.Duration("fuzztime", time.Minute, "how long to fuzz each target in a round")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if flags.NArg() > 0 {
		return false, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return false, fmt.Errorf("-only: %w", err)
	}
	end := time.Now().Add(time.Duration(*minutes * float64(time.Minute)))
	var totals []total
	for round := 1; ctx.Err() == nil && (round == 1 || time.Now().Before(end)); round++ {
		at := 0
		for _, s := range stages(round) {
			if !pattern.MatchString(s.name) {
				continue
			}
			if round == 1 {
				totals = append(totals, total{name: s.name})
			}
			if ctx.Err() != nil || round > 1 && time.Now().After(end) {
				break
			}
			totals[at].run(ctx, s, *fuzzing, round, out)
			at++
		}
		if len(totals) == 0 {
			return false, fmt.Errorf("-only %q matches no stage", *only)
		}
	}
	fmt.Fprintf(out, "\n%-52s %5s %7s %9s\n", "stage", "runs", "failed", "minutes")
	for _, t := range totals {
		fmt.Fprintf(out, "%-52s %5d %7d %9.1f\n", t.name, t.runs, t.failures, t.spent.Minutes())
		failed = failed || t.failures > 0
	}
	return failed, nil
}

// run runs a stage once and prints how it went.
func (t *total) run(ctx context.Context, s stage, fuzzing time.Duration, round int, out io.Writer) {
	args := append([]string{"test", "-count", "1", "-timeout", "60m"}, s.args...)
	if s.fuzz {
		args = append(args, "-fuzztime", fuzzing.String())
	}
	fmt.Fprintf(out, "round %d: %-52s ", round, s.name)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), s.env...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if ctx.Err() != nil {
		fmt.Fprintln(out, "interrupted")
		return
	}
	t.runs++
	t.spent += took
	if err != nil && !(s.fuzz && onlyDeadline(said.String())) {
		t.failures++
		fmt.Fprintf(out, "FAILED in %.0f s\n%s %v\n%s\n", took.Seconds(), cmd.Env[len(cmd.Env)-len(s.env):], cmd.Args, &said)
		return
	}
	fmt.Fprintf(out, "ok, %.0f s\n", took.Seconds())
}

// onlyDeadline reports whether fuzzing ended by its time alone: when that is over
// while a worker is told to go on, go test fails without an input, see
// golang.org/issue/75804.
func onlyDeadline(said string) bool {
	return strings.Contains(said, "\n    context deadline exceeded\n") && !strings.Contains(said, "Failing input")
}
