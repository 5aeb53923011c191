package blocked

import "errors"

// The errors of this package wrap one of these. Their texts say what was
// expected and what was found.
var (
	// ErrInvalid reports a parameter outside its range: a rate, a capacity, a
	// number of probes or of blocks, the length of a view.
	ErrInvalid = errors.New("invalid parameter")

	// ErrTooLarge reports a filter that would be larger than the caller, this
	// package or the CPU's address space allows.
	ErrTooLarge = errors.New("filter too large")

	// ErrIncompatible reports two filters whose Params differ, so that their
	// bits do not mean the same.
	ErrIncompatible = errors.New("incompatible filters")
)
