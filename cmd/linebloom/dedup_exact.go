package main

import (
	"context"
	"errors"

	"github.com/linebloom/linebloom/blocked"
)

// exactMemory is what runExact takes unless said.
const exactMemory = 256 << 20

// suspectRate is the rate of an entry in exact mode. Wrong suspicions cost the time
// of comparing a line, not the line.
const suspectRate = 0.01

// runExact drops no line wrongly. It goes through the lines three times:
//
//  1. It keeps all lines in a temporary file, and a filter marks those that are
//     certainly new. The others are suspects, which a second filter remembers.
//  2. Lines that are suspects, or may be equal to one, are compared byte by byte, and
//     a suspect that is the first of its kind is marked too.
//  3. It prints the lines that are marked.
//
// Half of the memory is for the two filters. When one is full all lines behind are
// suspects, or all lines are compared, which is slower and no less exact. The other
// half is for the lines that are compared at a time.
func (d *deduping) runExact(ctx context.Context, std streams, inputs []string) error {
	ctx, stop := stopOnSignal(ctx)
	defer stop()
	if d.memory == 0 {
		d.memory = exactMemory
	}
	s, err := newSpool(d.format.end())
	if err != nil {
		return err
	}
	defer s.remove()
	seen, err := newSeenLines(suspectRate, d.memory/4, false)
	if err != nil {
		return err
	}
	suspects, err := newSeenLines(suspectRate, d.memory/4, false)
	if err != nil {
		return err
	}
	err = d.format.hashEach(ctx, std, inputs, d.complain(std), func(b *hashedBatch) error {
		return d.spoolBatch(s, b, seen, suspects)
	})
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	d.tally.MemoryBytes = seen.filter.Bytes() + suspects.filter.Bytes()
	if err := s.compare(ctx, &d.format, suspects, d.memory/2); err != nil {
		return err
	}
	return s.each(ctx, &d.format, func(b *hashedBatch, _ uint64) error {
		for i, line := range b.lines {
			if (line[0] == markedNew) != d.repeats {
				d.out.add(b.line(i)[1:])
				d.tally.Out++
			}
		}
		return d.out.flush()
	})
}

// spoolBatch keeps a batch and marks its lines.
func (d *deduping) spoolBatch(s *spool, b *hashedBatch, seen, suspects *seenLines) error {
	fresh := make([]bool, len(b.lines))
	if err := ignoreFull(seen.claim(b, fresh)); err != nil {
		return err
	}
	var suspected hashedBatch
	for i, fresh := range fresh {
		s.add(b.line(i), fresh)
		if !fresh {
			suspected.hashes = append(suspected.hashes, b.hashes[2*i:2*i+2]...)
		}
	}
	d.tally.In += uint64(len(b.lines))
	if err := ignoreFull(suspects.claim(&suspected, make([]bool, len(suspected.hashes)/2))); err != nil {
		return err
	}
	return s.out.flush()
}

// ignoreFull makes a full filter no error.
func ignoreFull(err error) error {
	if errors.Is(err, blocked.ErrTooLarge) {
		return nil
	}
	return err
}
