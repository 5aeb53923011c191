package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/linebloom/linebloom/blocked"
)

// The geometry of a block, see package generic.
const (
	blockBits = 512
	lanes     = 8
	laneBits  = 64
)

// blockFill is how full the blocks of a filter are.
type blockFill struct {
	blocks uint64
	with   [blockBits + 1]uint64 // how many blocks have so many bits set
}

// fillOf counts the bits of every block, of a filter that others add to as it is
// at that moment.
func fillOf(v blocked.View) *blockFill {
	f := &blockFill{blocks: v.Params().Blocks}
	chunk := make([]byte, min(64<<10, v.Params().Bytes()))
	for at := uint64(0); at < v.Params().Bytes(); at += uint64(len(chunk)) {
		chunk = chunk[:min(uint64(len(chunk)), v.Params().Bytes()-at)]
		v.Snapshot(chunk, at)
		for block := chunk; len(block) > 0; block = block[blockBits/8:] {
			set := 0
			for i := 0; i < blockBits/8; i += 8 {
				set += bits.OnesCount64(binary.LittleEndian.Uint64(block[i:]))
			}
			f.with[set]++
		}
	}
	return f
}

// variance returns that of the number of bits per block.
func (f *blockFill) variance() float64 {
	n, mean, square := float64(f.blocks), 0.0, 0.0
	for set, count := range f.with {
		mean += float64(set) * float64(count) / n
	}
	for set, count := range f.with {
		square += (float64(set) - mean) * (float64(set) - mean) * float64(count) / n
	}
	return square
}

// A fillModel tells how full blocks are that random keys fill. Of a pair of bits
// it knows the probability that one key sets neither: a key throws once or twice
// into each lane of its window, which begins at each of the lanes with the same
// probability, and a throw hits each bit of the lane with the same.
type fillModel struct {
	one  float64        // a given bit stays unset
	pair [lanes]float64 // two bits stay unset whose lanes are so far apart
}

func newFillModel(k int) fillModel {
	throws := func(lane, start int) float64 {
		behind := (lane - start + lanes) % lanes
		n := 0.0
		for round := behind; round < k; round += lanes {
			n++
		}
		return n
	}
	var m fillModel
	for start := range lanes {
		first := throws(0, start)
		m.one += math.Pow(1-1./laneBits, first) / lanes
		m.pair[0] += math.Pow(1-2./laneBits, first) / lanes
		for apart := 1; apart < lanes; apart++ {
			m.pair[apart] += math.Pow(1-1./laneBits, first+throws(apart, start)) / lanes
		}
	}
	return m
}

// moments returns mean and variance of the number of bits that are set, if a bit,
// or a pair, that one key leaves unset with probability p stays unset with
// probability unset(p).
func (m fillModel) moments(unset func(p float64) float64) (mean, variance float64) {
	u := unset(m.one)
	pairs := laneBits*(laneBits-1)*unset(m.pair[0]) + laneBits*u // of one lane
	for _, p := range m.pair[1:] {
		pairs += laneBits * laneBits * unset(p)
	}
	return blockBits * (1 - u), max(lanes*pairs-blockBits*blockBits*u*u, 0)
}

// variance returns that of the number of bits of a block, with a Poisson number of
// keys of the given mean.
func (m fillModel) variance(load float64) float64 {
	_, v := m.moments(func(p float64) float64 { return math.Exp(load * (p - 1)) })
	return v
}

// distribution returns the probability of each number of bits. For each number of
// keys it takes mean and variance, which are exact, and a normal distribution.
func (m fillModel) distribution(load float64) (p [blockBits + 1]float64) {
	spread := 8*math.Sqrt(load) + 8
	for keys := math.Max(0, math.Floor(load-spread)); keys <= load+spread; keys++ {
		logFactorial, _ := math.Lgamma(keys + 1)
		weight := math.Exp(-load - logFactorial)
		if load > 0 {
			weight = math.Exp(keys*math.Log(load) - load - logFactorial)
		} else if keys > 0 {
			break
		}
		mean, variance := m.moments(func(p float64) float64 { return math.Pow(p, keys) })
		below := func(x float64) float64 {
			if variance < 1e-9 {
				return float64(boolInt(x > mean))
			}
			return 0.5 * math.Erfc((mean-x)/math.Sqrt(2*variance))
		}
		for set := range p {
			p[set] += weight * (below(float64(set)+0.5) - below(float64(set)-0.5))
		}
	}
	return p
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An evenness compares how evenly blocks are filled with how random keys fill
// them.
type evenness struct {
	ratio float64 // of the variances of the bits per block
	err   float64 // its standard error
}

// enoughBlocks is how many are needed to tell.
const enoughBlocks = 100

// evennessOf returns nil if there are too few blocks to tell, or none or all of
// the bits are set. load is the mean number of keys per block.
func evennessOf(f *blockFill, k int, load float64) *evenness {
	expected := newFillModel(k).variance(load)
	if f.blocks < enoughBlocks || load <= 0 || math.IsInf(load, 0) || expected < 1e-3 {
		return nil
	}
	return &evenness{f.variance() / expected, math.Sqrt(2 / float64(f.blocks))}
}

// verdict says in words what the ratio means. Five standard errors, and two
// percent, which no hash that matters falls below.
func (e evenness) verdict() string {
	tolerance := max(5*e.err, 0.02)
	switch {
	case e.ratio > 1+tolerance:
		return "uneven: bad hash or intersection"
	case e.ratio < 1-tolerance:
		return "too even: bad hash or intersection"
	}
	return "as random keys fill them"
}

func (e evenness) String() string {
	return fmt.Sprintf("%s (variance %.3g +- %.1g)", e.verdict(), e.ratio, e.err)
}
