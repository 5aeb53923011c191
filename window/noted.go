package window

import (
	"sync"

	"github.com/linebloom/linebloom/blocked"
)

// noted is the hashes of the keys that are added while the size of the next filter
// is not known: a set, by their upper bits.
type noted [16]struct {
	mu     sync.Mutex
	hashes map[uint64]struct{}
	_      [64]byte // locks on lines of their own
}

func newNoted() *noted {
	n := &noted{}
	for i := range n {
		n[i].hashes = map[uint64]struct{}{}
	}
	return n
}

func (n *noted) add(hashes []uint64) {
	for _, h := range hashes {
		part := &n[h>>60]
		part.mu.Lock()
		part.hashes[h] = struct{}{}
		part.mu.Unlock()
	}
}

// count returns the number of hashes.
func (n *noted) count() (sum uint64) {
	for i := range n {
		n[i].mu.Lock()
		sum += uint64(len(n[i].hashes))
		n[i].mu.Unlock()
	}
	return sum
}

// moveTo adds all keys to a filter.
func (n *noted) moveTo(f *blocked.AtomicFilter) {
	for i := range n {
		n[i].mu.Lock()
		for h := range n[i].hashes {
			f.AddHash(h)
		}
		n[i].mu.Unlock()
	}
}
