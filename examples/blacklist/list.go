package main

import (
	"iter"

	"github.com/linebloom/linebloom/blocked"
)

// A List is what the office holds that keeps the black list: the addresses
// themselves, and the screen that it hands to the mail servers. It is for one
// goroutine at a time.
type List struct {
	Screen
	listed map[string]struct{}
}

// NewList returns an empty list for so many addresses at the given false positive
// rate.
func NewList(capacity uint64, fpRate float64) (*List, error) {
	f, err := blocked.New(capacity, fpRate)
	if err != nil {
		return nil, err
	}
	return &List{
		Screen: Screen{filter: f, exceptions: make(map[string]struct{})},
		listed: make(map[string]struct{}),
	}, nil
}

// Add lists an address. If it was an exception it is none any longer. Others that
// an audit found good may be blocked now, by the bits of the new one: audit again.
func (l *List) Add(address string) {
	address = normal(address)
	l.listed[address] = struct{}{}
	l.filter.AddString(address)
	delete(l.exceptions, address)
}

// Audit asks the filter for addresses that mail is wanted from, and makes each that
// it is wrong about an exception. Listed ones stay blocked. It returns the number
// of exceptions that are new. Addresses are asked in batches, so that millions take
// a fraction of a second.
func (l *List) Audit(wanted iter.Seq[string]) (found int) {
	var batch [1024]string
	n := 0
	for address := range wanted {
		batch[n] = normal(address)
		if n++; n == len(batch) {
			found += l.audit(batch[:n])
			n = 0
		}
	}
	return found + l.audit(batch[:n])
}

func (l *List) audit(batch []string) (found int) {
	var answers [1024 / 64]uint64
	if l.filter.HasStrings(answers[:], batch) == 0 {
		return 0
	}
	for i, address := range batch {
		if answers[i/64]>>(i%64)&1 == 0 {
			continue
		}
		_, listed := l.listed[address]
		_, known := l.exceptions[address]
		if !listed && !known {
			l.exceptions[address] = struct{}{}
			found++
		}
	}
	return found
}
