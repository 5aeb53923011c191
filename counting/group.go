package counting

import (
	"runtime"

	"github.com/linebloom/linebloom/generic"
)

// groupKeys is how many keys of a batch are added or removed together, with the locks
// of all of them held: enough to keep a core busy with bringing lines from memory.
// It divides 64.
const groupKeys = 16

// group are the locks of some keys, by their numbers, in ascending order.
type group struct {
	n       int
	stripes [groupKeys]uint16
}

// lockGroup takes the locks of at most groupKeys keys, each once. A key takes up to
// five lines of memory, of which a mutex lets the CPU bring one key's at a time; in a
// group, which doubles the speed of adding to large filters, those of all keys are
// asked for before the first is needed.
func (f *Filter) lockGroup(hashes []uint64) (g group) {
	for _, h := range hashes {
		s := uint16(f.blockOf(h) & uint64(len(f.stripes)-1))
		i := g.n
		for i > 0 && g.stripes[i-1] > s {
			i--
		}
		if i > 0 && g.stripes[i-1] == s {
			continue
		}
		copy(g.stripes[i+1:], g.stripes[i:g.n])
		g.stripes[i] = s
		g.n++
	}
	for _, s := range g.stripes[:g.n] {
		f.stripes[s].Lock()
	}
	f.touch(hashes)
	return g
}

// touch reads from each line of the counters of some keys, whose locks are held. None
// of these reads waits for another.
func (f *Filter) touch(hashes []uint64) {
	var x byte
	for _, h := range hashes {
		c := f.blockCounters(f.blockOf(h))
		for i := 0; i < len(c); i += generic.BlockBytes {
			x |= c[i]
		}
	}
	runtime.KeepAlive(x) // so that the compiler keeps the reads
}

func (f *Filter) unlockGroup(g *group) {
	for _, s := range g.stripes[:g.n] {
		f.stripes[s].Unlock()
	}
}
