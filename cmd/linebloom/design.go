package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/linebloom/linebloom/blocked"
)

// A design is the size of a filter and what comes of it. If only a rate was asked
// for, Keys and Bits are nil.
type design struct {
	Keys       *uint64 `json:"keys"`
	Bits       *uint64 `json:"bits"`
	Bytes      *uint64 `json:"bytes"`
	BitsPerKey float64 `json:"bits_per_key"`
	K          int     `json:"k"`
	Rate       float64 `json:"rate"`
}

// A question is what is known of a filter; the rest is to be computed. 0 is not
// known.
type question struct {
	keys uint64
	bits uint64
	rate float64
	k    int
}

var errTooLittle = errors.New("too little is known: name two of --capacity, --rate and --mem (or --bits), or --rate alone")

// check refuses questions that have no answer.
func (q question) check() error {
	switch {
	case q.rate != 0 && !(q.rate > 0 && q.rate < 1): // nor NaN
		return fmt.Errorf("--rate is %g, want more than 0 and less than 1", q.rate)
	case q.k < 0 || q.k > 1000:
		return fmt.Errorf("--probes is %d, want 1 to 1000", q.k)
	case q.keys > 0 && q.bits > 0 && q.rate > 0:
		return errors.New("--capacity, --rate and the memory cannot all be chosen; leave out what is to be computed")
	case q.rate > 0 || q.keys > 0 && q.bits > 0:
		return nil
	}
	return errTooLittle
}

// classic answers for a classic filter.
func (q question) classic() design {
	k := q.k
	var bits float64 // per key
	switch {
	case q.rate > 0:
		if k == 0 {
			k = classicBestKForRate(q.rate)
		}
		bits = classicBits(q.rate, k)
		if q.keys > 0 {
			q.bits = uint64(math.Ceil(bits * float64(q.keys)))
		} else if q.bits > 0 {
			q.keys = uint64(float64(q.bits) / bits)
		}
	default:
		bits = float64(q.bits) / float64(q.keys)
		if k == 0 {
			k = classicBestK(bits)
		}
	}
	if q.keys > 0 {
		bits = float64(q.bits) / float64(q.keys)
	}
	return q.design(bits, k, classicRate(bits, k))
}

func (q question) design(bits float64, k int, rate float64) design {
	d := design{BitsPerKey: bits, K: k, Rate: rate}
	if q.bits > 0 {
		bytes := q.bits/8 + (q.bits%8+7)/8
		d.Keys, d.Bits, d.Bytes = &q.keys, &q.bits, &bytes
	}
	return d
}

// manyKeys stand for any number, where only a rate is asked for.
const manyKeys = 1 << 30

// blocked answers for a filter of this library, or says why there is none.
func (q question) blocked() (design, error) {
	if q.k > maxBlockedK {
		return design{}, fmt.Errorf("%w: k = %d, this library has 1 to %d", blocked.ErrInvalid, q.k, maxBlockedK)
	}
	var p blocked.Params
	var err error
	keys := q.keys
	switch {
	case q.rate > 0 && q.bits == 0:
		if keys == 0 {
			keys = manyKeys
		}
		var opts []blocked.Option
		if q.k > 0 {
			opts = append(opts, blocked.WithK(q.k))
		}
		p, err = blocked.ParamsFor(keys, q.rate, opts...)
	case q.rate > 0:
		p, keys, err = q.mostKeys()
	case q.k > 0:
		p, err = fitting(q.bits, q.k)
	default:
		p, err = blocked.ParamsForBytes(keys, q.bits/8)
	}
	if err != nil {
		return design{}, err
	}
	bits := 8 * float64(p.Bytes()) / float64(keys)
	if q.keys > 0 || q.bits > 0 {
		q.keys, q.bits = keys, 8*p.Bytes()
	}
	return q.design(bits, p.K, p.FPRate(keys)), nil
}

// maxBlockedK is the largest k of this library.
const maxBlockedK = 16

// fitting returns the largest geometry within so many bits.
func fitting(bits uint64, k int) (blocked.Params, error) {
	p := blocked.Params{Blocks: bits / 512, K: k}
	switch {
	case p.Blocks == 0:
		return p, fmt.Errorf("%w: %d bits, want at least 512, a block", blocked.ErrInvalid, bits)
	case p.Blocks > 1<<32:
		return p, fmt.Errorf("%w: %d bits, want at most 2^41", blocked.ErrTooLarge, bits)
	}
	return p, nil
}

// mostKeys returns the largest number of keys that the bits hold at the rate.
func (q question) mostKeys() (best blocked.Params, most uint64, err error) {
	if _, err := blocked.ParamsFor(1, q.rate); err != nil {
		return best, 0, err // of rates that are refused
	}
	first, last := 1, maxBlockedK
	if q.k > 0 {
		first, last = q.k, q.k
	}
	for k := first; k <= last; k++ {
		p, err := fitting(q.bits, k)
		if err != nil {
			return best, 0, err
		}
		// A rate below 1 needs less than a key for each bit.
		low, high := uint64(0), q.bits
		for low < high {
			n := low + (high-low+1)/2
			if p.FPRate(n) <= q.rate {
				low = n
			} else {
				high = n - 1
			}
		}
		if low > most || k == first {
			best, most = p, low
		}
	}
	if most == 0 {
		return best, 0, fmt.Errorf("%w: %d bits, in which even one key has a higher rate", blocked.ErrInvalid, q.bits)
	}
	return best, most, nil
}
