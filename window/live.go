package window

import (
	"sync"
	"sync/atomic"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/keys"
)

// A Live is a filter that is rebuilt from its source while it serves: Rebuild makes a
// new filter, which then takes the place of the old one. Any number of goroutines
// read and add at the same time, without locks but in one case: while Rebuild
// counts the keys of its source, adds are noted under one of several locks.
type Live struct {
	state atomic.Pointer[serving]
	seed  uint64

	rebuilding sync.Mutex
}

// A serving is what a Live does at a moment. It never changes.
type serving struct {
	filter *blocked.AtomicFilter // answers
	next   *blocked.AtomicFilter // is added to as well; or nil
	noted  *noted                // is added to as long as next is not made yet; or nil
}

// NewLive returns a Live that begins with this filter, empty or filled. Filters that
// are built later have its seed, and its rate if nothing else is asked for.
func NewLive(f *blocked.AtomicFilter) *Live {
	l := &Live{seed: f.Params().Seed}
	l.state.Store(&serving{filter: f})
	return l
}

// current returns the filter that answers now.
func (l *Live) current() *blocked.AtomicFilter { return l.state.Load().filter }

// View returns a view of the filter that answers now. It goes on to see what is added
// until the next rebuild has ended, and not what is added after that.
func (l *Live) View() blocked.View { return l.current().View() }

// Params returns the geometry of the filter that answers now.
func (l *Live) Params() blocked.Params { return l.current().Params() }

// Capacity returns the number of keys that the filter which answers now was made
// for, or 0 if that is not known.
func (l *Live) Capacity() uint64 { return l.current().Capacity() }

// TargetFPRate returns the false positive rate that was asked for when the filter
// which answers now was made, or 0 if that is not known.
func (l *Live) TargetFPRate() float64 { return l.current().TargetFPRate() }

// Has reports whether key may have been added: false is certain.
func (l *Live) Has(key []byte) bool { return l.current().Has(key) }

// HasString is Has of the bytes of key.
func (l *Live) HasString(key string) bool { return l.current().HasString(key) }

// HasUint64 is Has of the eight little-endian bytes of key.
func (l *Live) HasUint64(key uint64) bool { return l.current().HasUint64(key) }

// HasHash is Has of the key whose blocked.HashKey is h.
func (l *Live) HasHash(h uint64) bool { return l.current().HasHash(h) }

// HasHashes tests a batch of keys, with the answers of
// blocked.AtomicFilter.HasHashes. All of them come from one filter.
func (l *Live) HasHashes(dst, hashes []uint64) int { return l.current().HasHashes(dst, hashes) }

// HasKeys is HasHashes of keys.
func (l *Live) HasKeys(dst []uint64, batch [][]byte) int { return l.current().HasKeys(dst, batch) }

// HasStrings is HasHashes of keys that are strings.
func (l *Live) HasStrings(dst []uint64, batch []string) int {
	return l.current().HasStrings(dst, batch)
}

// HasUint64s is HasHashes of keys that are numbers.
func (l *Live) HasUint64s(dst, batch []uint64) int { return l.current().HasUint64s(dst, batch) }

// Add adds key. See Rebuild for what is added while a filter is built.
func (l *Live) Add(key []byte) { l.AddHash(blocked.HashKey(l.seed, key)) }

// AddString is Add of the bytes of key.
func (l *Live) AddString(key string) { l.AddHash(blocked.HashString(l.seed, key)) }

// AddUint64 is Add of the eight little-endian bytes of key.
func (l *Live) AddUint64(key uint64) { l.AddHash(blocked.HashUint64(l.seed, key)) }

// AddHash is Add of the key whose blocked.HashKey is h.
func (l *Live) AddHash(h uint64) {
	one := [1]uint64{h}
	l.AddHashes(one[:])
}

// AddHashes adds a batch of keys, given by their hashes. Others may see some of the
// keys before the rest.
func (l *Live) AddHashes(hashes []uint64) { l.addTo(l.state.Load(), hashes) }

// addTo adds to a state and to those that come after it, until one is the current
// one after that. Rebuild says why.
func (l *Live) addTo(st *serving, hashes []uint64) {
	for {
		st.add(hashes)
		now := l.state.Load()
		if now == st {
			return
		}
		st = now
	}
}

func (st *serving) add(hashes []uint64) {
	st.filter.AddHashes(hashes)
	if st.next != nil {
		st.next.AddHashes(hashes)
	}
	if st.noted != nil {
		st.noted.add(hashes)
	}
}

// AddKeys adds a batch of keys, as AddHashes does.
func (l *Live) AddKeys(batch [][]byte) { l.addKeys(keys.OfBytes(batch)) }

// AddStrings adds a batch of keys, as AddHashes does.
func (l *Live) AddStrings(batch []string) { l.addKeys(keys.OfStrings(batch)) }

// AddUint64s adds a batch of keys, as AddHashes does.
func (l *Live) AddUint64s(batch []uint64) { l.addKeys(keys.OfUint64s(batch)) }

func (l *Live) addKeys(ks keys.Batch) {
	var buf [chunk]uint64
	for at := 0; at < ks.N; at += chunk {
		hashes := buf[:min(chunk, ks.N-at)]
		ks.Hash(hashes, l.seed, at)
		l.AddHashes(hashes)
	}
}
