package blocked

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/rate"
)

// MinFPRate is the smallest false positive rate that can be asked for. Below
// it, keys whose hashes agree in all the bits that matter, a fraction of
// n/B / 2^32 of absent keys, would be a large part of the errors.
const MinFPRate = 1e-8

// Params is the geometry of a filter. Filters with equal Params hold equal bits
// for equal keys. It is all that is needed, besides the blocks, to read one.
type Params struct {
	Blocks uint64 // number of 64-byte blocks, 1 to 2^32
	K      int    // probes (bits) per key, 1 to 16
	Seed   uint64 // of the hash
}

// ParamsFor returns the smallest geometry whose false positive rate is at most
// fpRate once it holds capacity distinct keys, with seed 0 unless an option says
// otherwise. It solves the exact rate, FPRate, which takes a few microseconds. Up
// to 1 % of memory is given for K <= 8, which is faster than K > 8.
//
// A capacity of 0 and an fpRate that is not below 1, or is below MinFPRate, give
// ErrInvalid; more than 2^32 blocks give ErrTooLarge.
func ParamsFor(capacity uint64, fpRate float64, opts ...Option) (Params, error) {
	c, err := newConfig(opts)
	if err != nil {
		return Params{}, err
	}
	return paramsFor(capacity, fpRate, c)
}

func paramsFor(capacity uint64, fpRate float64, c config) (Params, error) {
	if err := checkCapacity(capacity); err != nil {
		return Params{}, err
	}
	if err := checkRate(fpRate); err != nil {
		return Params{}, err
	}
	p := Params{K: c.k, Seed: c.seed}
	var ok bool
	if c.k == 0 {
		p.Blocks, p.K, ok = rate.Size(capacity, fpRate)
	} else {
		p.Blocks, ok = rate.BlocksFor(c.k, capacity, fpRate)
	}
	if !ok {
		return Params{}, fmt.Errorf("linebloom: %w: %d keys at a rate of %g need more than 2^32 blocks (256 GiB)",
			ErrTooLarge, capacity, fpRate)
	}
	if err := c.checkSize(capacity, p); err != nil {
		return Params{}, err
	}
	return p, nil
}

// checkSize holds a filter to WithMaxBytes.
func (c config) checkSize(capacity uint64, p Params) error {
	if p.Bytes() > c.maxBytes {
		return fmt.Errorf("linebloom: %w: a filter for %d keys needs %d bytes, the maximum is %d",
			ErrTooLarge, capacity, p.Bytes(), c.maxBytes)
	}
	return nil
}

// ParamsForBytes returns the geometry with the best false positive rate for
// capacity distinct keys within maxBytes of memory, with seed 0. It takes no
// more memory than a rate of MinFPRate needs. A capacity of 0 and maxBytes below
// 64 give ErrInvalid.
func ParamsForBytes(capacity, maxBytes uint64) (Params, error) {
	if err := checkCapacity(capacity); err != nil {
		return Params{}, err
	}
	if maxBytes < generic.BlockBytes {
		return Params{}, fmt.Errorf("linebloom: %w: a budget of %d bytes, want at least one block of %d",
			ErrInvalid, maxBytes, generic.BlockBytes)
	}
	blocks := min(maxBytes/generic.BlockBytes, generic.MaxBlocks)
	if enough, k, ok := rate.Size(capacity, MinFPRate); ok && enough <= blocks {
		return Params{Blocks: enough, K: k}, nil
	}
	return Params{Blocks: blocks, K: rate.BestK(capacity, blocks)}, nil
}

// FPRate returns the false positive rate of a filter that holds n distinct
// keys: the probability, 0 to 1, that a key that was not added is reported
// present. It is exact for random hashes: the mean over all filters with n
// keys, of which a large one deviates little and a filter of a few blocks by
// chance. For Params out of range it returns NaN.
func (p Params) FPRate(n uint64) float64 {
	if p.Check() != nil {
		return math.NaN()
	}
	return rate.FalsePositive(p.K, n, p.Blocks)
}

// Bytes returns the size of the blocks in bytes, 64 * Blocks.
func (p Params) Bytes() uint64 {
	return p.Blocks * generic.BlockBytes
}

// String returns the parameters in words, for messages.
func (p Params) String() string {
	return fmt.Sprintf("%d blocks, k = %d, seed %#x", p.Blocks, p.K, p.Seed)
}

// Check returns ErrInvalid unless there are 1 to 2^32 blocks and K is 1 to 16.
func (p Params) Check() error {
	if p.Blocks == 0 || p.Blocks > generic.MaxBlocks {
		return fmt.Errorf("linebloom: %w: %d blocks, want 1 to 2^32", ErrInvalid, p.Blocks)
	}
	return checkK(p.K)
}

func checkK(k int) error {
	if k < 1 || k > generic.MaxK {
		return fmt.Errorf("linebloom: %w: k is %d, want 1 to %d", ErrInvalid, k, generic.MaxK)
	}
	return nil
}

func checkCapacity(n uint64) error {
	if n == 0 {
		return fmt.Errorf("linebloom: %w: capacity is 0, want at least 1 key", ErrInvalid)
	}
	return nil
}

func checkRate(p float64) error {
	if !(p >= MinFPRate && p < 1) { // also refuses NaN
		return fmt.Errorf("linebloom: %w: false positive rate is %g, want at least %g and below 1",
			ErrInvalid, p, MinFPRate)
	}
	return nil
}
