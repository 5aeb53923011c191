package window

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

func TestBadParameters(t *testing.T) {
	good := Config{Duration: time.Hour, Capacity: 1000, FPRate: 0.01}
	byCount := Config{Count: 1000, FPRate: 0.01}
	for name, c := range map[string]struct {
		config Config
		change func(*Config)
		opts   []blocked.Option
		want   error
	}{
		"good":                           {config: good, change: func(*Config) {}},
		"good by count":                  {config: byCount, change: func(*Config) {}},
		"neither":                        {good, func(c *Config) { c.Duration = 0 }, nil, blocked.ErrInvalid},
		"both":                           {good, func(c *Config) { c.Count = 5 }, nil, blocked.ErrInvalid},
		"negative duration":              {good, func(c *Config) { c.Duration = -1 }, nil, blocked.ErrInvalid},
		"no capacity":                    {good, func(c *Config) { c.Capacity = 0 }, nil, blocked.ErrInvalid},
		"too much capacity":              {good, func(c *Config) { c.Capacity = math.MaxUint64 }, nil, blocked.ErrTooLarge},
		"capacity by count":              {byCount, func(c *Config) { c.Capacity = 5 }, nil, blocked.ErrInvalid},
		"clock by count":                 {byCount, func(c *Config) { c.Clock = time.Now }, nil, blocked.ErrInvalid},
		"generation by count":            {byCount, func(c *Config) { c.PerGeneration = 5 }, nil, blocked.ErrInvalid},
		"too high a count":               {byCount, func(c *Config) { c.Count = math.MaxUint64 }, nil, blocked.ErrTooLarge},
		"high count":                     {byCount, func(c *Config) { c.Count = math.MaxInt64 }, nil, blocked.ErrTooLarge},
		"generation above capacity":      {good, func(c *Config) { c.PerGeneration = 1001 }, nil, blocked.ErrInvalid},
		"one generation":                 {good, func(c *Config) { c.Generations = 1 }, nil, blocked.ErrInvalid},
		"negative generations":           {good, func(c *Config) { c.Generations = -3 }, nil, blocked.ErrInvalid},
		"65 generations":                 {good, func(c *Config) { c.Generations = 65 }, nil, blocked.ErrInvalid},
		"64 generations":                 {config: good, change: func(c *Config) { c.Generations = 64 }},
		"no rate":                        {good, func(c *Config) { c.FPRate = 0 }, nil, blocked.ErrInvalid},
		"negative rate":                  {good, func(c *Config) { c.FPRate = -1 }, nil, blocked.ErrInvalid},
		"rate of 1":                      {good, func(c *Config) { c.FPRate = 1 }, nil, blocked.ErrInvalid},
		"rate above 1":                   {good, func(c *Config) { c.FPRate = 1.5 }, nil, blocked.ErrInvalid},
		"rate that is infinite":          {good, func(c *Config) { c.FPRate = math.Inf(1) }, nil, blocked.ErrInvalid},
		"rate that is no number":         {good, func(c *Config) { c.FPRate = math.NaN() }, nil, blocked.ErrInvalid},
		"rate too low for 2 generations": {good, func(c *Config) { c.FPRate = 1.9 * blocked.MinFPRate }, nil, blocked.ErrInvalid},
		"lowest rate":                    {config: good, change: func(c *Config) { c.FPRate = 2.01 * blocked.MinFPRate }},
		"bad option":                     {good, func(*Config) {}, []blocked.Option{blocked.WithK(17)}, blocked.ErrInvalid},
		"above the maximum":              {good, func(*Config) {}, []blocked.Option{blocked.WithMaxBytes(640)}, blocked.ErrTooLarge},
		"shortest duration":              {config: good, change: func(c *Config) { c.Duration, c.Clock = 1, (&fakeClock{}).now }},
		"longest duration":               {config: good, change: func(c *Config) { c.Duration = math.MaxInt64 }},
	} {
		c.change(&c.config)
		s, err := NewSliding(c.config, c.opts...)
		if !errors.Is(err, c.want) || (s == nil) != (c.want != nil) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
		if s != nil && (s.SeenString("key") || !s.SeenString("key")) {
			t.Errorf("%s: wrong answers", name)
		}
	}
}

// Each generation holds what it is made for, at its share of the rate.
func TestSizeOfGenerations(t *testing.T) {
	for _, c := range []struct {
		config   Config
		capacity uint64
	}{
		{Config{Duration: time.Hour, Capacity: 1000, FPRate: 0.01}, 1000},
		{Config{Duration: time.Hour, Capacity: 1000, FPRate: 0.01, Generations: 5}, 1000},
		{Config{Duration: time.Hour, Capacity: 1000, FPRate: 0.01, Generations: 5, PerGeneration: 250}, 250},
		{Config{Count: 1000, FPRate: 0.01}, 1000},
		{Config{Count: 1001, FPRate: 0.01, Generations: 5}, 251},
	} {
		s := sliding(t, c.config, blocked.WithSeed(9))
		generations := max(2, c.config.Generations)
		p, err := blocked.ParamsFor(c.capacity, 0.01/float64(generations), blocked.WithSeed(9))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Params(); got.Seed != 9 || got.Blocks > p.Blocks || float64(got.Blocks) < 0.99*float64(p.Blocks)-1 {
			t.Errorf("%+v: generations of %v, want about %v", c.config, got, p)
		}
	}
}
