package blocked

import (
	"io"
	"math"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
)

// stored is what is written of a filter.
type stored struct {
	table    generic.Table
	capacity uint64
	fpRate   float64
}

func (w *writer) stored() stored { return stored{w.table, w.capacity, w.fpRate} }

func (v View) stored() stored { return stored{table: v.table} }

// header returns the header, without metadata and with blocks at the first
// multiple of 64 bytes. It reads the whole filter for the estimated count.
func (s stored) header() format.Header {
	h := format.Header{
		Layout:     format.Blocked,
		K:          s.table.K(),
		Seed:       s.table.Seed(),
		Blocks:     s.table.Blocks(),
		Capacity:   s.capacity,
		FPRate:     s.fpRate,
		CountState: format.Indeterminate,
	}
	if n := (reader{s.table}).EstimateCount(); n < math.MaxUint64 {
		h.Count, h.CountState = uint64(math.Round(n)), format.Estimate
	}
	h.Place(generic.BlockBytes)
	return h
}

func (s stored) encode(w io.Writer, h *format.Header) (int64, error) {
	return format.Encode(w, h, func(p []byte, at uint64) { generic.Snapshot(p, s.table, at) })
}

func (s stored) writeTo(w io.Writer) (int64, error) {
	h := s.header()
	return s.encode(w, &h)
}

func (s stored) appendTo(b []byte) ([]byte, error) {
	h := s.header()
	return h.AppendTo(b, func(w io.Writer) (int64, error) { return s.encode(w, &h) })
}

func (s stored) text() ([]byte, error) { return format.Text(s.appendTo(nil)) }

// MarshalBinary returns the filter as bytes, in the format of docs/FORMAT.md:
// its blocks and about 200 bytes, with checksums. Keys that are added to an
// AtomicFilter meanwhile may be in it or not; all whose add happened before are.
// Package gob uses it. The error is always nil.
func (w *writer) MarshalBinary() ([]byte, error) { return w.stored().appendTo(nil) }

// AppendBinary appends what MarshalBinary returns to b.
func (w *writer) AppendBinary(b []byte) ([]byte, error) { return w.stored().appendTo(b) }

// MarshalText returns what MarshalBinary returns in base64 (RFC 4648, section
// 4, with padding). Package json uses it. The error is always nil.
func (w *writer) MarshalText() ([]byte, error) { return w.stored().text() }

// WriteTo writes what MarshalBinary returns to dst, in chunks of 64 KiB. It
// returns the number of bytes that were written and the error of dst.
func (w *writer) WriteTo(dst io.Writer) (int64, error) { return w.stored().writeTo(dst) }

// MarshalBinary is Filter.MarshalBinary of the filter that the view reads, but
// for Capacity and TargetFPRate, which a view does not know.
func (v View) MarshalBinary() ([]byte, error) { return v.stored().appendTo(nil) }

// AppendBinary appends what MarshalBinary returns to b.
func (v View) AppendBinary(b []byte) ([]byte, error) { return v.stored().appendTo(b) }

// MarshalText returns what MarshalBinary returns in base64.
func (v View) MarshalText() ([]byte, error) { return v.stored().text() }

// WriteTo writes what MarshalBinary returns to dst.
func (v View) WriteTo(dst io.Writer) (int64, error) { return v.stored().writeTo(dst) }
