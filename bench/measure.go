package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// A contender is one of those that are compared: a loop over a batch of keys.
type contender struct {
	name     string
	keys     int        // per pass
	before   func()     // what a pass needs and the clock does not count, or nil
	pass     func() int // returns the number of keys that it found
	atLeast  int        // keys of the batch that must be found
	ownBytes int        // of memory, if that is to be recorded
	noRate   bool       // hits tell nothing of wrong answers
	parallel bool       // takes memory for its goroutines, which is not counted
}

// A series is what a contender did.
type series struct {
	contender
	nsPerKey []float64 // one for each round
	hits     int       // of one pass
	allocs   float64   // per pass
	counted  bool      // allocs was counted
}

// passTime is how long a contender runs in a round at least, in whole passes.
// The clock itself, and an interrupt, then weigh little.
const passTime = 3 * time.Millisecond

// measure lets the contenders run in turns. In every round each of them runs
// once; a fast one first runs a pass that does not count and finds its filter
// in the caches then.
func measure(rounds int, contenders []contender) ([]series, error) {
	all := make([]series, len(contenders))
	passes := make([]int, len(contenders))
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for i, c := range contenders {
		all[i] = series{contender: c}
		// A method of linebloom's, that is, and not its building. AllocsPerRun
		// sets GOMAXPROCS to 1, with which a method that starts goroutines
		// would start none and need no memory for them: it would count zero
		// for what is not what runs below.
		if strings.HasPrefix(c.name, "linebloom ") && !c.parallel {
			if c.before != nil {
				c.before()
			}
			all[i].counted = true
			all[i].allocs = testing.AllocsPerRun(1, func() { c.pass() })
		}
		if c.before != nil {
			c.before()
		}
		start := time.Now()
		all[i].hits = c.pass()
		passes[i] = int(min(1000, 1+passTime/max(1, time.Since(start))))
		if hits := all[i].hits; hits < c.atLeast {
			return nil, fmt.Errorf("%s finds %d of %d keys that were added", c.name, hits, c.atLeast)
		}
	}
	for range rounds {
		for i, c := range contenders {
			var spent time.Duration
			for p := range passes[i] + 1 {
				if p == 0 && passes[i] == 1 {
					continue
				}
				if c.before != nil {
					c.before()
				}
				start := time.Now()
				hits := c.pass()
				if took := time.Since(start); p > 0 {
					spent += took
				}
				if hits != all[i].hits {
					return nil, fmt.Errorf("%s finds %d keys, and found %d before", c.name, hits, all[i].hits)
				}
			}
			all[i].nsPerKey = append(all[i].nsPerKey, float64(spent.Nanoseconds())/float64(passes[i]*c.keys))
		}
	}
	return all, nil
}

// median does not change v, which must not be empty.
func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// ratio returns the median, over the rounds, of the time of a over that of b.
func ratio(a, b series) float64 {
	r := make([]float64, len(a.nsPerKey))
	for i := range r {
		r[i] = a.nsPerKey[i] / b.nsPerKey[i]
	}
	return median(r)
}
