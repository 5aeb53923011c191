package main

import (
	"fmt"
	"math"
	"sort"
	"sync"
	"unsafe"

	"github.com/linebloom/linebloom/blocked"
)

// A Feed remembers for each of very many readers which articles he was shown, in a
// few blocks of one slice. It may be used by any number of goroutines.
//
// Articles are numbered from 1 in the order in which they appear. A reader has two
// filters, generations. Articles go to the younger; when it is full the older is
// cleared and becomes the younger. What was in it is forgotten, except for the
// greatest number in it: that article and all older ones count as shown from then
// on. So no article is ever shown twice, whatever the memory; with too little of it
// old articles are held back that would have been new to the reader.
type Feed struct {
	params   blocked.Params // of a generation
	capacity uint16         // articles in a generation
	words    []uint64       // 2 generations per reader
	readers  []reader
	locks    [256]sync.Mutex // reader i has lock i mod 256
}

type reader struct {
	floor    uint32    // articles up to this number count as shown
	greatest [2]uint32 // article of each generation
	shown    uint16    // number of articles in the younger generation
	younger  uint8     // 0 or 1
}

// NewFeed returns a feed for so many readers whose generations have so many blocks
// of 64 bytes, 1 to 64. An article that is new to a reader is held back with
// probability fpRate or less.
func NewFeed(readers, blocks int, fpRate float64) (*Feed, error) {
	if readers < 1 || blocks < 1 || blocks > 64 || !(fpRate >= blocked.MinFPRate && fpRate < 1) {
		return nil, fmt.Errorf("linebloom: %w: feed for %d readers, %d blocks, rate %g",
			blocked.ErrInvalid, readers, blocks, fpRate)
	}
	if readers > math.MaxInt/(2*64*blocks) {
		return nil, fmt.Errorf("linebloom: %w: feed for %d readers", blocked.ErrTooLarge, readers)
	}
	// The most articles that a generation holds at the rate. Both generations are
	// asked, so each may be wrong half as often; one article in one block keeps
	// every rate that blocked allows.
	params := func(n int) blocked.Params {
		p, _ := blocked.ParamsForBytes(uint64(n), uint64(64*blocks)) // they are in range
		return p
	}
	n := sort.Search(math.MaxUint16, func(n int) bool { return params(n+1).FPRate(uint64(n+1)) > fpRate/2 })
	f := &Feed{params: params(n), capacity: uint16(n)}
	f.words = make([]uint64, uint64(readers)*2*f.params.Bytes()/8)
	f.readers = make([]reader, readers)
	return f, nil
}

const stateBytes = int(unsafe.Sizeof(reader{}))

// BytesPerReader returns the memory of a reader.
func (f *Feed) BytesPerReader() int { return int(2*f.params.Bytes()) + stateBytes }

// Remembers returns how many of the articles that a reader was shown last are told
// from others by the filters; of older ones only the number counts. The second
// number is for the moment before a generation is cleared.
func (f *Feed) Remembers() (least, most int) {
	return int(f.capacity), 2 * int(f.capacity)
}

// Show appends to dst the first n candidates that the reader, 0 to readers-1, was
// certainly never shown, and remembers that he is shown them now. It may find
// fewer.
func (f *Feed) Show(dst []uint32, reader int, candidates []uint32, n int) []uint32 {
	lock := &f.locks[reader%len(f.locks)]
	lock.Lock()
	defer lock.Unlock()
	r := &f.readers[reader]
	generations := [2]*blocked.AtomicFilter{f.generation(reader, 0), f.generation(reader, 1)}
	for _, article := range candidates {
		if n <= 0 {
			break
		}
		h := blocked.HashUint64(f.params.Seed, uint64(article))
		younger, older := generations[r.younger], generations[1-r.younger]
		if article <= r.floor || older.HasHash(h) || younger.TestAndAddHash(h) {
			continue
		}
		dst = append(dst, article)
		n--
		r.greatest[r.younger] = max(r.greatest[r.younger], article)
		if r.shown++; r.shown == f.capacity {
			r.floor = max(r.floor, r.greatest[1-r.younger])
			r.younger = 1 - r.younger
			r.greatest[r.younger], r.shown = 0, 0
			older.Clear()
		}
	}
	return dst
}

// generation returns one of the two filters of a reader.
func (f *Feed) generation(reader, i int) *blocked.AtomicFilter {
	n := int(f.params.Bytes() / 8)
	g, err := blocked.AtomicOf(f.words[(2*reader+i)*n:][:n], f.params)
	if err != nil {
		panic(err) // the words are as many as the parameters say
	}
	return g
}
