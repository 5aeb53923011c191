package foreign

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/linebloom/linebloom/blocked"
)

// Options bound what is read.
type Options struct {
	// MaxBytes is the largest filter that is read, decompressed; 0 is 2^40.
	MaxBytes uint64
}

// Open reads the filter in a file, which may be compressed or a text. Its errors
// are those of Read and of the system.
func Open(path string, opts Options) (*Filter, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var size uint64
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		size = uint64(info.Size())
	}
	f, err := read(file, size, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Known reports whether a file begins as a filter of one of the formats does,
// neither compressed nor as text.
func Known(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(pybloomMagic))
	n, _ := io.ReadFull(file, head)
	head = head[:n]
	return string(head) == pybloomMagic || bytes.HasPrefix(head, []byte(containerMagic)) || looksLikeDCSO(head)
}

// Read reads a filter and all that r holds. Its errors wrap ErrUnknown,
// blocked.ErrCorrupt, blocked.ErrUnsupported or blocked.ErrTooLarge, or are those
// of the system. It never holds more than three times what it has read, and a MiB, whatever
// a header promises.
func Read(r io.Reader, opts Options) (*Filter, error) { return read(r, 0, opts) }

// maxLayers is how many coats of compression and text a filter may have: the text
// of pybloomfiltermmap has four, and may be compressed too.
const maxLayers = 6

// read reads a filter of a file of so many bytes, 0 if that is not known.
func read(r io.Reader, size uint64, opts Options) (*Filter, error) {
	if opts.MaxBytes == 0 {
		opts.MaxBytes = 1 << 40
	}
	s := &source{Reader: bufio.NewReaderSize(r, 64<<10), size: size, most: opts.MaxBytes}
	var outer []*source
	for range maxLayers {
		inner, err := s.unwrap()
		if err != nil {
			return nil, err
		}
		if inner == nil {
			break
		}
		outer = append(outer, s)
		s = inner
	}
	f, err := s.readFilter()
	if err != nil {
		return nil, err
	}
	for _, o := range outer {
		if _, err := o.ReadByte(); err != io.EOF {
			if err == nil {
				err = fmt.Errorf("%w: more bytes behind the compressed filter", blocked.ErrCorrupt)
			}
			return nil, damaged(err, "end")
		}
	}
	return f, nil
}

// A source is what a filter is read from.
type source struct {
	*bufio.Reader
	size uint64 // of all of it; 0: not known
	most uint64 // bytes that may be allocated
}

// unwrap returns what is inside of a compressed filter or of a text, or nil if it
// is neither.
func (s *source) unwrap() (*source, error) {
	head, err := s.Peek(2)
	if err != nil && err != io.EOF {
		return nil, damaged(err, "compressed data")
	}
	var r io.Reader
	switch string(head) {
	case "\x1f\x8b":
		r, err = gzip.NewReader(s.Reader)
	case "x\x01", "x\x5e", "x\x9c", "x\xda": // deflate with a window of 32 KiB
		r, err = zlib.NewReader(s.Reader)
	case "eA", "eF", "eJ", "eN": // those four in base64
		r, err = base64.NewDecoder(base64.StdEncoding, s.Reader), nil
	default:
		return nil, nil
	}
	if err != nil {
		return nil, damaged(err, "compressed data")
	}
	return &source{Reader: bufio.NewReaderSize(r, 64<<10), most: s.most}, nil
}

// readFilter reads the filter that is inside of everything.
func (s *source) readFilter() (*Filter, error) {
	head, err := s.Peek(len(pybloomMagic))
	switch {
	case err != nil && err != io.EOF:
		return nil, damaged(err, "header")
	case bytes.HasPrefix(head, []byte(pybloomMagic)):
		return s.readPybloom()
	case bytes.HasPrefix(head, []byte(containerMagic)):
		return s.readContainer()
	case looksLikeDCSO(head):
		return s.readDCSO()
	}
	return nil, ErrUnknown
}

// readFull fills p.
func (s *source) readFull(p []byte, what string) error {
	_, err := io.ReadFull(s, p)
	return damaged(err, what)
}

// readArray reads n bytes. Of a file whose size is known it compares that first;
// otherwise the memory grows with what is there.
func (s *source) readArray(n uint64) ([]byte, error) {
	switch {
	case n > s.most:
		return nil, fmt.Errorf("%w: %d bytes, this machine or its user allows %d", blocked.ErrTooLarge, n, s.most)
	case s.size > 0 && n > s.size:
		return nil, fmt.Errorf("%w: %d bytes of bits in a file of %d", blocked.ErrCorrupt, n, s.size)
	}
	room := uint64(1 << 20)
	if s.size > 0 {
		room = n
	}
	array := make([]byte, 0, min(n, room))
	for uint64(len(array)) < n {
		if len(array) == cap(array) {
			grown := make([]byte, len(array), min(n, 2*uint64(cap(array))))
			copy(grown, array)
			array = grown
		}
		piece := array[len(array):cap(array)]
		if err := s.readFull(piece, "bits"); err != nil {
			return nil, err
		}
		array = array[:cap(array)]
	}
	return array, nil
}

// damaged turns the errors of decoders, which are about the bytes that they read,
// into one of a corrupt filter. Those of the system stay.
func damaged(err error, what string) error {
	var system *os.PathError
	switch {
	case err == nil, errors.As(err, &system), errors.Is(err, blocked.ErrCorrupt):
		return err
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends within the %s", blocked.ErrCorrupt, what)
	}
	return fmt.Errorf("%w: %s: %v", blocked.ErrCorrupt, what, err)
}
