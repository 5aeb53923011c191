package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// compare marks the lines that were suspects and are the first of their kind.
func (s *spool) compare(ctx context.Context, format *lineFormat, suspects *seenLines, memory uint64) error {
	c := comparison{ctx: ctx, spool: s, memory: memory}
	parts, err := c.newParts(0)
	if err != nil {
		return err
	}
	var hits []uint64
	err = s.each(ctx, format, func(b *hashedBatch, at uint64) error {
		hits = append(hits[:0], make([]uint64, (len(b.hashes)+63)/64)...)
		suspects.filter.HasHashes(hits, b.hashes)
		for i, key := range b.keys {
			if suspects.refused || bit(hits, 2*i) && bit(hits, 2*i+1) {
				r := record{at, b.lines[i][0] == markedNew, key}
				if err := parts.add(r, b.hashes[2*i]); err != nil {
					return err
				}
			}
			at += uint64(len(b.line(i)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.resolveAll(parts)
}

// A comparison sorts out which lines are equal: it writes them to files by their
// hash, so that equal lines meet in one, and reads each of these into a map. A file
// that is too large for the memory is split further, by other bits of the hash.
type comparison struct {
	ctx    context.Context
	spool  *spool
	memory uint64
	files  int // that were made, for their names
}

// A record is a line that is compared.
type record struct {
	at     uint64 // in the spool
	marked bool
	key    []byte
}

const (
	partBits = 5
	// partLevels is how often a file can be split. What is too large after that has
	// equal hashes, or very long lines.
	partLevels = 64/partBits - 1
	// entryBytes is what a line in the map takes beside its bytes, about.
	entryBytes = 64
)

// parts are the files of one level.
type parts struct {
	level int
	files [1 << partBits]*os.File
	w     [1 << partBits]*bufio.Writer
	buf   []byte
}

func (c *comparison) newParts(level int) (*parts, error) {
	p := &parts{level: level}
	for i := range p.files {
		c.files++
		f, err := os.Create(filepath.Join(c.spool.dir, fmt.Sprint("part", c.files)))
		if err != nil {
			return nil, fmt.Errorf("temporary files: %w", err)
		}
		p.files[i], p.w[i] = f, bufio.NewWriterSize(f, 32<<10)
	}
	return p, nil
}

// add writes a record to the file that its hash says.
func (p *parts) add(r record, hash uint64) error {
	i := hash >> (64 - partBits*(p.level+1)) & (1<<partBits - 1)
	marked := uint64(0)
	if r.marked {
		marked = 1
	}
	p.buf = binary.AppendUvarint(p.buf[:0], r.at<<1|marked)
	p.buf = binary.AppendUvarint(p.buf, uint64(len(r.key)))
	p.w[i].Write(p.buf) // the error stays until the next
	if _, err := p.w[i].Write(r.key); err != nil {
		return fmt.Errorf("temporary files: %w", err)
	}
	return nil
}

// resolveAll marks lines, and removes the files.
func (c *comparison) resolveAll(p *parts) error {
	for i, f := range p.files {
		if err := p.w[i].Flush(); err != nil {
			return fmt.Errorf("temporary files: %w", err)
		}
		err := c.resolve(f, p.level)
		f.Close()
		os.Remove(f.Name())
		if err != nil {
			return err
		}
	}
	return nil
}

// resolve marks the first of the equal lines of a file, for all that are there.
func (c *comparison) resolve(f *os.File, level int) error {
	there := map[string]struct{}{}
	used := uint64(0)
	fits := func(r record) (bool, error) {
		if _, ok := there[string(r.key)]; ok {
			return true, nil
		}
		used += uint64(len(r.key)) + entryBytes
		if used > c.memory && level < partLevels && len(there) > 0 {
			return false, nil
		}
		there[string(r.key)] = struct{}{}
		if r.marked {
			return true, nil
		}
		return true, c.spool.markNew(r.at)
	}
	if done, err := c.records(f, fits); done || err != nil {
		return err
	}
	clear(there)
	p, err := c.newParts(level + 1)
	if err != nil {
		return err
	}
	if _, err := c.records(f, func(r record) (bool, error) {
		return true, p.add(r, xxh3.Hash128(r.key).Lo)
	}); err != nil {
		return err
	}
	return c.resolveAll(p)
}

// records calls g with the records of a file, until it returns false or an error.
func (c *comparison) records(f *os.File, g func(record) (bool, error)) (all bool, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	r := bufio.NewReaderSize(f, 256<<10)
	var key []byte
	for n := 0; ; n++ {
		if n%1024 == 0 && c.ctx.Err() != nil {
			return false, context.Cause(c.ctx)
		}
		at, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		length, err := binary.ReadUvarint(r)
		if err != nil {
			return false, err
		}
		if uint64(cap(key)) < length {
			key = make([]byte, length)
		}
		key = key[:length]
		if _, err := io.ReadFull(r, key); err != nil {
			return false, err
		}
		if ok, err := g(record{at >> 1, at&1 == 1, key}); !ok || err != nil {
			return false, err
		}
	}
}
