package filterfile

import (
	"sync"
	"sync/atomic"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// lazy checks the chunks of a filter when they are first touched. A damaged one
// is filled with ones, in memory that is private to the process, so that its
// keys are answered with maybe by whatever looks at it.
type lazy struct {
	header format.Header
	body   []byte
	sums   []uint32
	seen   []atomic.Uint32 // a bit for each chunk that is whole or filled

	done atomic.Bool // all of them

	mu    sync.Mutex // of filling, and of what follows
	left  int        // chunks to be checked
	first error
}

func newLazy(h format.Header, body []byte, sums []uint32) *lazy {
	return &lazy{header: h, body: body, sums: sums, seen: make([]atomic.Uint32, (len(sums)+31)/32), left: len(sums)}
}

// touch makes sure that the chunk of the key with hash h has been checked.
func (l *lazy) touch(h uint64) {
	i := int(generic.Offset(l.header.Blocks, h) / format.ChunkBytes)
	if l.seen[i/32].Load()>>(i%32)&1 == 0 {
		l.check(i)
	}
}

func (l *lazy) check(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[i/32].Load()>>(i%32)&1 != 0 {
		return
	}
	from, to := l.header.Chunk(i)
	chunk := l.body[from:to]
	if err := l.header.CheckChunk(i, chunk, l.sums[i]); err != nil {
		if l.first == nil {
			l.first = err
		}
		fill(chunk)
	}
	l.seen[i/32].Or(1 << (i % 32))
	if l.left--; l.left == 0 {
		l.done.Store(true)
	}
}

func (l *lazy) checkAll() {
	for i := range l.sums {
		if l.seen[i/32].Load()>>(i%32)&1 == 0 {
			l.check(i)
		}
	}
}

func (l *lazy) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}

// fill sets all bits of a chunk.
func fill(chunk []byte) {
	for i := range chunk {
		chunk[i] = 0xff
	}
}
