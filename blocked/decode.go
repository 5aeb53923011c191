package blocked

import (
	"io"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

// decoded returns a writer of what was read. body is 64 bytes aligned.
func decoded(h format.Header, body []uint64, shared bool) (writer, error) {
	if err := h.CheckLayout(format.Blocked); err != nil {
		return writer{}, err
	}
	table := generic.NewTable(mem.Bytes(body), h.K)
	if shared {
		table = generic.NewShared(body, h.K)
	}
	return writer{reader{table.WithSeed(h.Seed)}, h.Capacity, h.FPRate}, nil
}

func fromBytes(p []byte, shared bool) (writer, error) {
	h, body, err := format.DecodeBytes(p)
	if err != nil {
		return writer{}, err
	}
	words := mem.Words(len(body) / 8)
	copy(mem.Bytes(words), body)
	return decoded(h, words, shared)
}

func fromText(text []byte, shared bool) (writer, error) {
	p, err := format.DecodeText(text)
	if err != nil {
		return writer{}, err
	}
	return fromBytes(p, shared)
}

func fromReader(r io.Reader, shared bool) (writer, int64, error) {
	h, body, n, err := format.Decode(r)
	if err != nil {
		return writer{}, n, err
	}
	w, err := decoded(h, body, shared)
	return w, n, err
}

// UnmarshalBinary makes f the filter that MarshalBinary of any kind of filter
// returned. It checks everything before it allocates the filter and leaves f as
// it was on an error, which wraps ErrCorrupt, ErrUnsupported or ErrUnclean. Bytes
// behind the filter are an error. Views of f made before keep the old filter.
func (f *Filter) UnmarshalBinary(data []byte) error {
	w, err := fromBytes(data, false)
	if err == nil {
		f.writer = w
	}
	return err
}

// UnmarshalText is UnmarshalBinary of base64.
func (f *Filter) UnmarshalText(text []byte) error {
	w, err := fromText(text, false)
	if err == nil {
		f.writer = w
	}
	return err
}

// ReadFrom is UnmarshalBinary of all that r holds. It returns the number of bytes
// that were read. It never holds more than three times what it has read, and a
// MiB, whatever the header promises.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	w, n, err := fromReader(r, false)
	if err == nil {
		f.writer = w
	}
	return n, err
}

// UnmarshalBinary is Filter.UnmarshalBinary. It is not for use at the same time
// as other methods.
func (f *AtomicFilter) UnmarshalBinary(data []byte) error {
	w, err := fromBytes(data, true)
	if err == nil {
		f.writer = w
	}
	return err
}

// UnmarshalText is UnmarshalBinary of base64.
func (f *AtomicFilter) UnmarshalText(text []byte) error {
	w, err := fromText(text, true)
	if err == nil {
		f.writer = w
	}
	return err
}

// ReadFrom is Filter.ReadFrom. It is not for use at the same time as other
// methods.
func (f *AtomicFilter) ReadFrom(r io.Reader) (int64, error) {
	w, n, err := fromReader(r, true)
	if err == nil {
		f.writer = w
	}
	return n, err
}
