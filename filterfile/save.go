package filterfile

import (
	"io"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/linebloom/linebloom/internal/format"
)

// Save writes a filter to a file, or replaces the file that is there. At every
// instant, and after any crash, the path names the old file or the new one,
// whole: the filter goes to a temporary file in the same folder, which is synced
// and then renamed, and the folder is synced. A file that is replaced keeps its
// permissions; a new one has 0666 less the umask. If path is a symbolic link,
// the file that it names is replaced.
//
// metadata is stored beside the filter for whoever opens it: at most 64 KiB, or
// nil. Keys that are added to an AtomicFilter meanwhile may be in the file or
// not.
func Save(path string, f blocked.Viewer, metadata []byte) error {
	if err := format.CheckMetadata(metadata); err != nil {
		return err
	}
	guard := func(do func() error) error { return do() }
	if m, ok := f.(interface{ try(func() error) error }); ok { // a mapped file, which may fault
		guard = m.try
	}
	var v blocked.View
	var n float64
	if err := guard(func() error { v = f.View(); n = v.EstimateCount(); return nil }); err != nil {
		return err
	}
	h := headerFor(f, v)
	if n < 1<<63 { // +Inf if every bit is set
		h.Count, h.CountState = uint64(n+0.5), format.Estimate
	}
	if c, ok := f.(interface {
		Len() (uint64, error)
		CountState() blocked.CountState
	}); ok { // a Shared file knows better
		h.CountState = format.CountState(c.CountState())
		h.Count, _ = c.Len()
	}
	h.Metadata = metadata
	h.Place(format.FileAlign)
	return atomicfile.Replace(path, func(w io.Writer) error {
		return guard(func() error {
			_, err := format.Encode(w, &h, v.Snapshot)
			return err
		})
	})
}

// headerFor returns the geometry of a filter and what it knows of its making.
func headerFor(f blocked.Viewer, v blocked.View) format.Header {
	p := v.Params()
	h := format.Header{
		Layout: format.Blocked, K: p.K, Seed: p.Seed, Blocks: p.Blocks,
		CountState: format.Indeterminate,
	}
	if made, ok := f.(interface {
		Capacity() uint64
		TargetFPRate() float64
	}); ok {
		h.Capacity, h.FPRate = made.Capacity(), made.TargetFPRate()
	}
	return h
}
