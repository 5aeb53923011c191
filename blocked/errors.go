package blocked

import (
	"errors"

	"github.com/linebloom/linebloom/internal/format"
)

// The errors of this package wrap one of these. Their texts say what was
// expected and what was found.
var (
	// ErrInvalid reports a parameter outside its range: a rate, a capacity, a
	// number of probes or of blocks, the length of a view.
	ErrInvalid = errors.New("invalid parameter")

	// ErrTooLarge reports a filter that would be larger than the caller, this
	// package or the CPU's address space allows.
	ErrTooLarge = format.ErrTooLarge

	// ErrIncompatible reports two filters whose Params differ, so that their
	// bits do not mean the same.
	ErrIncompatible = errors.New("incompatible filters")

	// ErrCorrupt reports bytes that are damaged, cut short, or not a filter.
	ErrCorrupt = format.ErrCorrupt

	// ErrUnsupported reports a filter of a version, layout or hash that this
	// version of the library does not know, or that is too large for this CPU.
	ErrUnsupported = format.ErrUnsupported

	// ErrUnclean reports a filter that was not closed by those who write to it.
	ErrUnclean = format.ErrUnclean

	// ErrIndeterminateCount reports that the number of keys cannot be known
	// because of a union or an intersection.
	ErrIndeterminateCount = errors.New("number of keys is indeterminate")
)
