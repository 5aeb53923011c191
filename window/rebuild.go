package window

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/linebloom/linebloom/blocked"
)

// ErrRebuilding reports that a rebuild is going on already.
var ErrRebuilding = errors.New("a rebuild is going on")

// RebuildOptions change how Rebuild sizes the new filter. The zero RebuildOptions are
// the usual ones.
type RebuildOptions struct {
	// Capacity is the number of keys that the new filter is made for. If it is 0,
	// Rebuild counts the keys first, for which it keeps 8 bytes of each; a key that
	// the source yields twice counts twice.
	Capacity uint64

	// Room is the number of keys that the new filter has room for besides those that
	// were counted and those that were added meanwhile.
	Room uint64

	// FPRate is the false positive rate of the new filter; 0 means that of the old
	// one.
	FPRate float64

	// MaxBytes bounds the size of the new filter; 0 means no bound.
	MaxBytes uint64
}

// Rebuild makes a new filter of the keys of a source, and of those that are added
// meanwhile, while the old one serves and is added to as well; then the new one
// serves. Keys that were added before Rebuild, and are not in the source, are
// forgotten then. The source must yield every key that it held when Rebuild began; it
// may use the memory of a key again for the next.
//
// Whoever stores keys in what is the source must store a key first and then add it:
// it is in the new filter in any case, because the source was read after the
// storing or the adding found the rebuild going on. If it is added first, a rebuild
// can begin and read the source between the two, and would miss it.
//
// If the source yields an error or panics, ctx ends, or the new filter would be too
// large, the old one goes on to serve, with all that was added to it, and the new one
// is dropped. The error wraps that of the source, ctx.Err, blocked.ErrTooLarge or
// blocked.ErrInvalid. One rebuild runs at a time; others get ErrRebuilding.
//
// Why no key is missing: an add of a key to some states ends when it has added to a
// state and that is the current one after it. What it has added to states before
// does no harm. There are up to four of them: the old filter alone (1), with a note
// of what is added (2), with the new filter (3), and the new filter alone (4). The
// source is read after 2, or 3 if there is no 2, has become the current one, and what
// was noted is moved after 3 has. So a key of which the adding ended
//
//   - in 1 was added, and stored before that, before the source is read;
//   - in 2 was noted, before it became 3, and is moved;
//   - in 3 and 4 was added to the new filter.
//
// At every moment the filter of the current state, which answers, has every key
// whose adding has ended, unless it was added before the rebuild and the source has
// it no more.
func (l *Live) Rebuild(ctx context.Context, source iter.Seq2[[]byte, error], opts RebuildOptions) error {
	if !l.rebuilding.TryLock() {
		return fmt.Errorf("linebloom: %w", ErrRebuilding)
	}
	defer l.rebuilding.Unlock()
	r := rebuild{live: l, ctx: ctx, old: l.current(), opts: opts}
	if opts.FPRate == 0 {
		r.opts.FPRate = r.old.TargetFPRate()
	}
	if opts.MaxBytes == 0 {
		r.opts.MaxBytes = math.MaxUint64
	}
	result := r.old
	defer func() { l.state.Store(&serving{filter: result}) }() // also if the source panics
	build := r.sized
	if opts.Capacity == 0 {
		build = r.counted
	}
	next, err := build(source)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("linebloom: rebuild: %w", err)
	}
	result = next
	return nil
}

// A rebuild is a call of Rebuild.
type rebuild struct {
	live *Live
	ctx  context.Context
	old  *blocked.AtomicFilter
	opts RebuildOptions
}

// sized builds a filter for Capacity keys.
func (r *rebuild) sized(source iter.Seq2[[]byte, error]) (*blocked.AtomicFilter, error) {
	next, err := r.newFilter(r.opts.Capacity)
	if err != nil {
		return nil, err
	}
	r.live.state.Store(&serving{filter: r.old, next: next})
	return next, r.read(source, func(hashes []uint64) error {
		next.AddHashes(hashes)
		return nil
	})
}

// counted builds a filter for as many keys as there are.
func (r *rebuild) counted(source iter.Seq2[[]byte, error]) (*blocked.AtomicFilter, error) {
	if err := r.checkSize(0); err != nil {
		return nil, err // and not after all has been read
	}
	meanwhile := newNoted()
	r.live.state.Store(&serving{filter: r.old, noted: meanwhile})
	var found [][]uint64 // and not one slice, which would be copied as it grows
	n := uint64(0)
	err := r.read(source, func(hashes []uint64) error {
		found = append(found, append([]uint64(nil), hashes...))
		n += uint64(len(hashes))
		return r.checkSize(n)
	})
	if err != nil {
		return nil, err
	}
	next, err := r.newFilter(n + meanwhile.count())
	if err != nil {
		return nil, err
	}
	r.live.state.Store(&serving{filter: r.old, next: next})
	meanwhile.moveTo(next)
	for _, hashes := range found {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		next.AddHashes(hashes)
	}
	return next, nil
}

// readBatch is the number of keys that are read before they are used.
const readBatch = 8192

// read reads the source and gives the hashes of its keys to use, in batches.
func (r *rebuild) read(source iter.Seq2[[]byte, error], use func(hashes []uint64) error) error {
	hashes := make([]uint64, 0, readBatch)
	done := r.ctx.Done()
	for key, err := range source {
		select {
		case <-done:
			return r.ctx.Err()
		default:
		}
		if err != nil {
			return err
		}
		if hashes = append(hashes, blocked.HashKey(r.live.seed, key)); len(hashes) == cap(hashes) {
			if err := use(hashes); err != nil {
				return err
			}
			hashes = hashes[:0]
		}
	}
	return use(hashes)
}

// checkSize returns the error of newFilter.
func (r *rebuild) checkSize(n uint64) error {
	_, err := blocked.ParamsFor(r.capacity(n), r.opts.FPRate, blocked.WithMaxBytes(r.opts.MaxBytes))
	return err
}

// newFilter returns an empty filter for n keys and Room.
func (r *rebuild) newFilter(n uint64) (*blocked.AtomicFilter, error) {
	return blocked.NewAtomic(r.capacity(n), r.opts.FPRate,
		blocked.WithMaxBytes(r.opts.MaxBytes), blocked.WithSeed(r.live.seed))
}

// capacity returns n and Room, or the largest number there is, and never 0.
func (r *rebuild) capacity(n uint64) uint64 {
	if n > math.MaxUint64-r.opts.Room {
		return math.MaxUint64
	}
	return max(1, n+r.opts.Room)
}
