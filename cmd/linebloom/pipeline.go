package main

import (
	"context"
	"io"

	"github.com/zeebo/xxh3"
)

// A hashedBatch is the lines that one read has completed.
type hashedBatch struct {
	lines, keys [][]byte
	hashes      []uint64 // two of each key, which are independent
	newline     bool     // the last line ends with one, as all others do
	buf         []byte   // the memory of the lines
	own         [][]byte // the memory of keys that are not the lines
	err         error    // instead of lines: of an input, which others may follow
}

// line returns line i with its newline, if it has one.
func (b *hashedBatch) line(i int) []byte {
	line := b.lines[i]
	if i < len(b.lines)-1 || b.newline {
		line = line[:len(line)+1]
	}
	return line
}

// aheadBatches is how many batches can be on their way.
const aheadBatches = 3

// hashEach is readEach with the hashes of the keys, on two CPUs: while f works on a
// batch, the next ones are read, split and hashed.
func (lf *lineFormat) hashEach(ctx context.Context, std streams, names []string, complain func(error), f func(*hashedBatch) error) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := pipeline{ctx: ctx, format: lf, free: make(chan *hashedBatch, aheadBatches), full: make(chan *hashedBatch)}
	for range aheadBatches {
		p.free <- new(hashedBatch)
	}
	go p.readAll(std, names)
	for b := range p.full {
		if b.err != nil {
			complain(b.err)
			continue
		}
		if err := f(b); err != nil {
			return err
		}
		p.free <- b
	}
	return nil
}

// A pipeline hands batches from who reads to who works, and back.
type pipeline struct {
	ctx        context.Context
	format     *lineFormat
	free, full chan *hashedBatch
}

// readAll reads the inputs, and ends early when the context does.
func (p *pipeline) readAll(std streams, names []string) {
	defer close(p.full)
	for _, name := range names {
		err := withInput(p.ctx, std, name, p.format.plain, p.read)
		if p.ctx.Err() != nil {
			return
		}
		if err != nil {
			p.pass(&hashedBatch{err: err})
		}
	}
}

// read reads one input.
func (p *pipeline) read(r io.Reader) error {
	lines := newLineReader(r, p.format.end())
	for {
		b := <-p.free // there is always one: nobody keeps any but who works on it
		var err error
		if b.lines, err = lines.next(b.lines); err != nil {
			p.free <- b
			return notEOF(err)
		}
		b.newline = !lines.unended
		b.buf = lines.handOver(b.buf)
		b.hash(p.format)
		if !p.pass(b) {
			return nil
		}
	}
}

// pass hands a batch over, unless nobody works any more.
func (p *pipeline) pass(b *hashedBatch) bool {
	select {
	case p.full <- b:
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (b *hashedBatch) hash(format *lineFormat) {
	if b.keys = b.lines; !format.keysAreLines() {
		b.own = format.keys(b.own, b.lines)
		b.keys = b.own
	}
	b.hashes = b.hashes[:0]
	for _, key := range b.keys {
		h := xxh3.Hash128(key)
		b.hashes = append(b.hashes, h.Lo, h.Hi)
	}
}
