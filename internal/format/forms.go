package format

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge reports what is larger than a limit.
var ErrTooLarge = errors.New("filter too large")

// CheckMetadata refuses metadata that no header can have.
func CheckMetadata(metadata []byte) error {
	if len(metadata) > MaxMetadata {
		return fmt.Errorf("linebloom: %w: %d bytes of metadata, want at most %d", ErrTooLarge, len(metadata), MaxMetadata)
	}
	return nil
}

// AppendTo appends what write writes to b, the filter of which h is the header.
func (h *Header) AppendTo(b []byte, write func(io.Writer) (int64, error)) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	buf.Grow(int(h.TotalBytes()))
	_, err := write(buf)
	return buf.Bytes(), err
}

// Text returns an encoded filter in base64 (RFC 4648, section 4, with padding), if
// there was no error in encoding it.
func Text(encoded []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, encoded), nil
}

// DecodeText is the inverse of Text.
func DecodeText(text []byte) ([]byte, error) {
	p, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, fmt.Errorf("linebloom: %w: not base64: %w", ErrCorrupt, err)
	}
	return p, nil
}
