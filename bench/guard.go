package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/linebloom/linebloom/asm"
)

// A guard fails if a kernel is not used where it should be, which no test of
// answers sees. It knows such an operation by its time, which is that of package
// generic then.
//
// The best time of each side counts, for each part of the keys, over all rounds of
// all attempts: what else runs on the machine can only make a time longer, so that
// the best ones come near the truth on both sides, and so does their ratio. Parts
// are short enough to pass between two interrupts by other programs.
type guard struct {
	out   io.Writer
	now   func() time.Time
	sleep func(time.Duration)
}

const (
	guardRounds   = 15 // of one attempt
	guardAttempts = 10 // before an operation fails
	guardPart     = 1 << 16
	guardPause    = 500 * time.Millisecond
)

func newGuard(out io.Writer) *guard { return &guard{out, time.Now, time.Sleep} }

// check guards the operations of package blocked. wanted is the kernel that the
// machine should use, if the caller knows.
func (g *guard) check(chosen, wanted string) error {
	if wanted != "" && wanted != chosen {
		return fmt.Errorf("LINEBLOOM_KERNEL demands %s, but %s is chosen", wanted, chosen)
	}
	if chosen == asm.Go {
		fmt.Fprintln(g.out, "This CPU or this build has no vector kernel: there is nothing to guard.")
		return nil
	}
	ops, err := guardedOps()
	if err != nil {
		return err
	}
	return g.run(chosen, ops, hashesFrom(absent, queryKeys))
}

// A trial is what an operation has shown so far.
type trial struct {
	guarded
	judged        bool
	attempts      int
	ours, generic []time.Duration // the best for each part
}

// ratio returns the time of package generic over that of package blocked.
func (t *trial) ratio() float64 {
	var ours, generic time.Duration
	for part := range t.ours {
		ours += t.ours[part]
		generic += t.generic[part]
	}
	return float64(generic) / float64(ours)
}

func (t *trial) met() bool { return !t.judged || t.ratio() >= t.demand }

// run measures the operations, and those again that fall short.
func (g *guard) run(kernel string, ops []guarded, keys []uint64) error {
	parts := slices.Collect(slices.Chunk(keys, guardPart))
	var trials []*trial
	for _, op := range ops {
		trials = append(trials, &trial{guarded: op, judged: slices.Contains(op.by, kernel),
			ours: make([]time.Duration, len(parts)), generic: make([]time.Duration, len(parts))})
	}
	left := trials
	for attempt := 0; attempt < guardAttempts && len(left) > 0; attempt++ {
		if attempt > 0 {
			g.sleep(guardPause)
		}
		for _, t := range left {
			if err := g.try(t, parts); err != nil {
				return err
			}
		}
		left = slices.DeleteFunc(slices.Clone(left), (*trial).met)
	}
	g.print(kernel, trials)
	if len(left) > 0 {
		var names []string
		for _, t := range left {
			names = append(names, t.name)
		}
		return fmt.Errorf("kernel %s does not show in the times of %s", kernel, strings.Join(names, "; "))
	}
	return nil
}

// try lets both sides run in turns, part by part.
func (g *guard) try(t *trial, parts [][]uint64) error {
	t.attempts++
	for range guardRounds {
		for i, keys := range parts {
			found := g.timed(t.runOurs, keys, &t.ours[i])
			want := g.timed(t.runGeneric, keys, &t.generic[i])
			if found != want {
				return fmt.Errorf("%s finds %d, package generic %d", t.name, found, want)
			}
		}
	}
	return nil
}

// timed runs a pass over keys and keeps its time if it is the best so far.
func (g *guard) timed(pass func(keys []uint64) int, keys []uint64, best *time.Duration) int {
	start := g.now()
	found := pass(keys)
	took := max(1, g.now().Sub(start)) // a coarse clock may show none
	if *best == 0 || took < *best {
		*best = took
	}
	return found
}

func (g *guard) print(kernel string, trials []*trial) {
	fmt.Fprintf(g.out, "%-36s %7s %9s %9s\n", "kernel "+kernel+" against generic", "ratio", "demanded", "attempts")
	for _, t := range trials {
		demand, end := "none", ""
		if t.judged {
			demand, end = fmt.Sprintf("%.1f", t.demand), "  ok"
		}
		if !t.met() {
			end = "  SHORT"
		}
		fmt.Fprintf(g.out, "%-36s %7.2f %9s %9d%s\n", t.name, t.ratio(), demand, t.attempts, end)
	}
}
