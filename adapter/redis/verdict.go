package redis

// A Verdict says whether a key was in the filter before TestAndAdd.
type Verdict uint8

const (
	// Unknown: the call could not find out, and may have added the key or not. If
	// it did, nobody was told that the key is new, and nobody will be.
	Unknown Verdict = iota

	// New: the key certainly was not in the filter, and this call added it. Of
	// all calls for one key, of all clients, at most one gets New.
	New

	// Seen: the key was there, or other keys' bits look like it, which happens at
	// the filter's false positive rate. It may be that another call for the same
	// key was a moment faster.
	Seen
)

// String returns the verdict in a word.
func (v Verdict) String() string {
	switch v {
	case New:
		return "new"
	case Seen:
		return "seen"
	}
	return "unknown"
}
