package window

import (
	"fmt"
	"math"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

// maxGenerations is the number of answers that fit into a word.
const maxGenerations = 64

// Config says what a Sliding remembers, and for how long. Either Duration and
// Capacity are given, or Count.
type Config struct {
	// Duration is the length of the window, above 0. A key is remembered for at
	// least this time after the last call of Seen with it.
	Duration time.Duration

	// Capacity is the number of distinct keys that are seen within any one
	// Duration, at least 1. More keys make the rate worse, and no other harm.
	Capacity uint64

	// Count is the length of the window in calls, instead of Duration and
	// Capacity. A key is remembered for at least the Count calls of Seen that
	// follow the last one with it. Those whose key is in the newest generation
	// already do not count, so that few keys that come again and again do not
	// drive out the others.
	Count uint64

	// FPRate is the false positive rate of the whole answer, over all
	// generations: above 0 and below 1, and at least blocked.MinFPRate for each
	// generation.
	FPRate float64

	// Generations is the number of filters that are asked, 2 to 64; 0 means 2.
	// More of them forget sooner after the end of the window, see the package's
	// comment for what that costs.
	Generations int

	// PerGeneration is the number of distinct keys that one generation is made
	// for, 1 to Capacity; 0 means Capacity, which is always enough. A stream
	// whose keys come at an even pace and seldom again needs no more than
	// Capacity/(Generations-1), rounded up. It is not for a window by Count, the
	// generations of which hold exactly what they were made for.
	PerGeneration uint64

	// Clock tells the time, for tests and for streams that carry their own; nil
	// means the system's timers, with which no call has to read a clock. A clock
	// may stand still and go back: nothing is forgotten before the clock has
	// shown the end of its window. It is not for a window by Count.
	Clock func() time.Time
}

// size returns the number of keys, and their false positive rate, that each
// generation is made for.
func (c *Config) size() (capacity uint64, fpRate float64, err error) {
	if c.Generations == 0 {
		c.Generations = 2
	}
	if c.Generations < 2 || c.Generations > maxGenerations {
		return 0, 0, fmt.Errorf("linebloom: %w: %d generations, want 2 to %d",
			blocked.ErrInvalid, c.Generations, maxGenerations)
	}
	if c.Count > 0 {
		capacity, err = c.sizeByCount()
	} else {
		capacity, err = c.sizeByDuration()
	}
	if err != nil {
		return 0, 0, err
	}
	// An absent key is found by none of G independent filters with a chance of
	// (1-p)^G. Where generations hold the same keys they are wrong about the same
	// absent ones, and the rate is lower.
	each := -math.Expm1(math.Log1p(-c.FPRate) / float64(c.Generations))
	if !(c.FPRate < 1 && each >= blocked.MinFPRate) { // also refuses NaN
		return 0, 0, fmt.Errorf("linebloom: %w: false positive rate is %g, want at least %g for each of %d generations, and below 1",
			blocked.ErrInvalid, c.FPRate, blocked.MinFPRate, c.Generations)
	}
	return capacity, each, nil
}

func (c *Config) sizeByCount() (capacity uint64, err error) {
	switch {
	case c.Duration != 0 || c.Capacity != 0 || c.PerGeneration != 0 || c.Clock != nil:
		return 0, fmt.Errorf("linebloom: %w: a window by Count, want no Duration, Capacity, PerGeneration and Clock",
			blocked.ErrInvalid)
	case c.Count > math.MaxInt64:
		return 0, fmt.Errorf("linebloom: %w: a window of %d calls", blocked.ErrTooLarge, c.Count)
	}
	return divideUp(c.Count, c.Generations-1), nil
}

func (c *Config) sizeByDuration() (capacity uint64, err error) {
	if c.Duration <= 0 {
		return 0, fmt.Errorf("linebloom: %w: a window of %v, want a Duration above 0, or a Count",
			blocked.ErrInvalid, c.Duration)
	}
	if c.PerGeneration > c.Capacity {
		return 0, fmt.Errorf("linebloom: %w: %d keys in one generation, want at most the capacity of %d",
			blocked.ErrInvalid, c.PerGeneration, c.Capacity)
	}
	if c.PerGeneration > 0 {
		return c.PerGeneration, nil
	}
	return c.Capacity, nil // blocked refuses 0
}

// divideUp returns n/d, rounded up.
func divideUp(n uint64, d int) uint64 {
	q := n / uint64(d)
	if n%uint64(d) != 0 {
		q++
	}
	return q
}
