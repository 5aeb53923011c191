package blocked

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/generic"
)

// An Option changes how New, NewAtomic and NewBuilder make a filter.
type Option func(*config)

type config struct {
	seed     uint64
	maxBytes uint64
	k        int // 0: chosen
	err      error
}

// WithSeed sets the seed of the hash; without it the seed is 0. Filters can be
// compared and united only if their seeds are equal.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed = seed }
}

// WithMaxBytes bounds the size of the filter, in bytes, 64 or more. A filter
// that would need more gives ErrTooLarge and not a worse rate; for the best
// rate within a budget use ParamsForBytes.
func WithMaxBytes(n uint64) Option {
	return func(c *config) {
		c.maxBytes = n
		if n < generic.BlockBytes {
			c.err = fmt.Errorf("linebloom: %w: maximum of %d bytes, want at least one block of %d",
				ErrInvalid, n, generic.BlockBytes)
		}
	}
}

// MaxBytes returns the bound that WithMaxBytes sets among opts, and without it
// math.MaxUint64: for those who keep more than blocks and hold all of it to the
// bound.
func MaxBytes(opts ...Option) (uint64, error) {
	c, err := newConfig(opts)
	return c.maxBytes, err
}

// WithK fixes the number of probes per key, 1 to 16, instead of choosing the
// one that needs the least memory.
func WithK(k int) Option {
	return func(c *config) {
		c.k = k
		if err := checkK(k); err != nil {
			c.err = err
		}
	}
}

func newConfig(opts []Option) (config, error) {
	c := config{maxBytes: math.MaxUint64}
	for _, o := range opts {
		o(&c)
	}
	return c, c.err
}
