// Gen writes table.go of package rate: the false positive rates of single
// blocks, and the rates from which each number of probes is best. Run it with
// `go generate ./internal/rate`. It takes a few seconds.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"math"
	"math/big"
	"os"
	"slices"
)

const (
	maxK      = 16
	lanes     = 8
	positions = 64  // bits of a lane
	tableKeys = 192 // beyond these the independent-lanes formula serves
	precision = 512 // bits; terms of size 10^4 cancel to 10^-29
)

func main() {
	log.SetFlags(0)
	src, err := table()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("table.go", src, 0o666); err != nil {
		log.Fatal(err)
	}
}

// A term is one summand of inclusion and exclusion: coefficient * phi^j.
type term struct {
	phi, coefficient *big.Rat
}

// terms returns the summands for k probes, those of equal phi added up.
func terms(k int) []term {
	rounds, window := k/lanes, k%lanes
	// probes returns how many probes a key whose window starts at s has in lane i.
	probes := func(s, i int) int {
		if (i-s+lanes)%lanes < window {
			return rounds + 1
		}
		return rounds
	}
	// The query's window starts at 0, by symmetry. Lane by lane, d of its
	// positions are unset.
	sums := map[string]term{}
	unset := make([]int, lanes)
	var visit func(lane int, coefficient *big.Rat)
	visit = func(lane int, coefficient *big.Rat) {
		if lane == lanes {
			phi := new(big.Rat)
			for s := range lanes {
				p := big.NewRat(1, lanes)
				for i, d := range unset {
					for range probes(s, i) {
						p.Mul(p, big.NewRat(int64(positions-d), positions))
					}
				}
				phi.Add(phi, p)
			}
			t, ok := sums[phi.String()]
			if !ok {
				t = term{phi, new(big.Rat)}
			}
			t.coefficient.Add(t.coefficient, coefficient)
			sums[phi.String()] = t
			return
		}
		for d, c := range distinctUnset(probes(0, lane)) {
			if c.Sign() != 0 {
				unset[lane] = d
				visit(lane+1, new(big.Rat).Mul(coefficient, c))
			}
		}
		unset[lane] = 0
	}
	visit(0, big.NewRat(1, 1))
	ts := make([]term, 0, len(sums))
	for _, t := range sums {
		ts = append(ts, t)
	}
	slices.SortFunc(ts, func(a, b term) int { return a.phi.Cmp(b.phi) })
	return ts
}

// distinctUnset returns, by the number d of distinct unset positions, the sum
// over the subsets T of a lane's probes of (-1)^|T| times the probability that
// the probes in T have d distinct positions.
func distinctUnset(probes int) []*big.Rat {
	same := big.NewRat(1, positions)
	switch probes {
	case 0:
		return []*big.Rat{big.NewRat(1, 1)}
	case 1:
		return []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1)}
	case 2:
		return []*big.Rat{
			big.NewRat(1, 1),
			new(big.Rat).Add(big.NewRat(-2, 1), same),
			new(big.Rat).Sub(big.NewRat(1, 1), same),
		}
	}
	panic("a lane has at most two probes")
}

// blockRates returns the rates of a block with 0..tableKeys-1 keys.
func blockRates(ts []term) []float64 {
	rates := make([]float64, tableKeys)
	powers := make([]*big.Float, len(ts)) // coefficient * phi^j
	phis := make([]*big.Float, len(ts))
	for i, t := range ts {
		powers[i] = new(big.Float).SetPrec(precision).SetRat(t.coefficient)
		phis[i] = new(big.Float).SetPrec(precision).SetRat(t.phi)
	}
	for j := range rates {
		sum := new(big.Float).SetPrec(precision)
		for i := range ts {
			sum.Add(sum, powers[i])
			powers[i].Mul(powers[i], phis[i])
		}
		rates[j], _ = sum.Float64()
	}
	return rates
}

// A poisson is the closed form of a large filter's rate over its mean load:
// the sum of coefficient * exp(load * (phi-1)).
type poisson []struct{ coefficient, exponent float64 }

func (f poisson) rate(load float64) float64 {
	r := load / (1 << 32)
	for _, t := range f {
		r += t.coefficient * math.Exp(load*t.exponent)
	}
	return r
}

// load returns the largest mean load, in keys per block, with a rate of at most
// p.
func (f poisson) load(p float64) float64 {
	low, high := 0.0, 1e6
	for range 100 {
		if mid := (low + high) / 2; f.rate(mid) <= p {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// tolerance is how much memory may be given for staying within one round.
const tolerance = 0.01

// bestK returns the best number of probes for the rate p.
func bestK(fs []poisson, p float64) int {
	best := func(from, to int) (k int, load float64) {
		for i := from; i <= to; i++ {
			if l := fs[i-1].load(p); l > load {
				k, load = i, l
			}
		}
		return k, load
	}
	one, oneLoad := best(1, lanes)
	if two, twoLoad := best(lanes+1, maxK); oneLoad < twoLoad*(1-tolerance) {
		return two
	}
	return one
}

// borders returns, for each k, the rate below which more than k probes are
// best, by bisection of its logarithm.
func borders(fs []poisson) []float64 {
	rates := make([]float64, maxK)
	for k := 1; k < maxK; k++ {
		low, high := math.Log(1e-12), 0.0
		for range 40 {
			if mid := (low + high) / 2; bestK(fs, math.Exp(mid)) > k {
				low = mid
			} else {
				high = mid
			}
		}
		rates[k] = math.Exp(high)
	}
	return rates
}

// table returns the source of table.go.
func table() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`// Code generated by internal/rate/gen; DO NOT EDIT.

package rate

`)
	fmt.Fprintf(&b, "// tableKeys is the number of keys up to which blockRates goes, exclusive.\nconst tableKeys = %d\n\n", tableKeys)
	var fs []poisson
	b.WriteString("// blockRates[k-1][j] is the false positive rate of a block that holds j keys\n// with k probes each.\n")
	b.WriteString("var blockRates = [MaxK][tableKeys]float32{\n")
	for k := 1; k <= maxK; k++ {
		ts := terms(k)
		fmt.Fprintf(&b, "\t{ // k = %d", k)
		for j, r := range blockRates(ts) {
			if j%8 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%.7g, ", r)
		}
		b.WriteString("\n},\n")
		var f poisson
		for _, t := range ts {
			c, _ := t.coefficient.Float64()
			e, _ := new(big.Rat).Sub(t.phi, big.NewRat(1, 1)).Float64()
			f = append(f, struct{ coefficient, exponent float64 }{c, e})
		}
		fs = append(fs, f)
	}
	b.WriteString("}\n\n")
	b.WriteString("// kFrom[k] is the rate below which more than k probes are best.\n")
	b.WriteString("var kFrom = [MaxK]float64{")
	for k, r := range borders(fs) {
		if k > 0 {
			fmt.Fprintf(&b, "\n\t%d: %.4g,", k, r)
		}
	}
	b.WriteString("\n}\n")
	return format.Source(b.Bytes())
}
