package main

import (
	"fmt"

	"github.com/linebloom/linebloom/scalable"
)

// seenLines remembers lines in memory, for one goroutine.
type seenLines struct {
	filter *scalable.Filter
	hits   []uint64

	refused bool // some lines could not be remembered

	// For the number of lines that are taken for others.
	count   bool
	lines   uint64 // remembered
	at      uint64 // lines when expected was brought up to date
	expects float64
}

// firstLines is the number of lines that a filter begins with.
const firstLines = 16 << 10

// newSeenLines returns an empty memory whose entries have the given rate; 0 as
// maxBytes means no bound.
func newSeenLines(entryRate float64, maxBytes uint64, count bool) (*seenLines, error) {
	f, err := scalable.New(2*firstLines, entryRate)
	if err != nil {
		return nil, err
	}
	if maxBytes == 0 {
		maxBytes = machineMemory()
	}
	f.SetMaxBytes(maxBytes)
	return &seenLines{filter: f, count: count}, nil
}

func (s *seenLines) claim(b *hashedBatch, fresh []bool) error {
	if words := (len(b.hashes) + 63) / 64; len(s.hits) < words {
		s.hits = make([]uint64, words)
	}
	s.filter.HasHashes(s.hits, b.hashes)
	for i := range fresh {
		if bit(s.hits, 2*i) && bit(s.hits, 2*i+1) {
			continue
		}
		// Not there before this batch, but perhaps since.
		first, err := s.filter.TestAndAddHash(b.hashes[2*i])
		if err != nil {
			return s.full(err)
		}
		second, err := s.filter.TestAndAddHash(b.hashes[2*i+1])
		if err != nil {
			return s.full(err)
		}
		if fresh[i] = !first || !second; fresh[i] {
			s.lines++
		}
	}
	if s.count && s.lines > s.at+s.at/8 {
		s.expect()
	}
	return nil
}

func (s *seenLines) printed() error { return nil }

func (s *seenLines) full(err error) error {
	s.refused = true
	return fmt.Errorf("%w; allow more with --memory, or --exact, which needs disk instead", err)
}

// expect counts the lines since the last time, at the rate of now, which is more
// than it was.
func (s *seenLines) expect() {
	p := s.filter.EstimateFPRate()
	s.expects += float64(s.lines-s.at) * p * p
	s.at = s.lines
}

// wrongly returns how many lines are to be expected to have been taken for others.
func (s *seenLines) wrongly() float64 {
	if !s.count {
		return 0
	}
	s.expect()
	return s.expects
}
