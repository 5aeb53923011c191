package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// defaultRate is the false positive rate of filter files. It costs 16 bits per
// key.
const defaultRate = 1e-3

// sizing is what the user says of the size of a new filter.
type sizing struct {
	capacity uint64  // 0: the number of keys
	rate     float64 // or
	bits     float64 // per key
	seed     uint64
}

func (s *sizing) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.VarP(countFlag(&s.capacity, 0), "capacity", "n", "number of distinct keys (default: counted)")
	flags.VarP(rateFlag(&s.rate, defaultRate), "rate", "p", "false positive rate, 1e-8 or more")
	flags.Float64Var(&s.bits, "bits", 0, "bits per key, instead of a rate")
	flags.Uint64Var(&s.seed, "seed", 0, "seed of the hash, secret where strangers choose keys")
}

// check refuses what does not fit together.
func (s *sizing) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case !flags.Changed("bits"):
		s.bits = 0
	case flags.Changed("rate"):
		return errors.New("--rate and --bits both say how large the filter is; use one of them")
	case !(s.bits > 0 && s.bits <= 1000): // nor NaN
		return fmt.Errorf("--bits is %g, want more than 0 and at most 1000", s.bits)
	}
	if flags.Changed("capacity") && s.capacity == 0 {
		return errors.New("--capacity is 0, want at least 1 key")
	}
	p, err := s.params(max(s.capacity, 1))
	if err != nil {
		return err
	}
	return checkMemory(p)
}

// params returns the geometry for n keys.
func (s *sizing) params(n uint64) (blocked.Params, error) {
	if s.bits == 0 {
		return blocked.ParamsFor(n, s.rate, blocked.WithSeed(s.seed))
	}
	// ParamsForBytes takes no more than it needs, so any large number will do.
	bytes := min(s.bits*float64(n)/8, math.MaxInt64/2)
	p, err := blocked.ParamsForBytes(n, max(uint64(bytes), 64))
	p.Seed = s.seed
	return p, err
}

// filter returns an empty filter for n keys, or for one if n is 0.
func (s *sizing) filter(n uint64) (sized, error) {
	n = max(n, 1)
	p, err := s.params(n)
	if err != nil {
		return sized{}, err
	}
	f, err := newFilter(p)
	if err != nil {
		return sized{}, err
	}
	rate := s.rate
	if s.bits > 0 {
		rate = 0 // nobody asked for one
	}
	return sized{f, n, rate}, nil
}
