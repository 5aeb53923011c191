package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A compression is a kind of compressed file.
type compression struct {
	name   string
	suffix string // of file names
	magic  string // that files begin with
	open   func(io.Reader) (io.ReadCloser, error)
}

var compressions = []compression{
	{"gzip", ".gz", "\x1f\x8b\x08", func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zstd", ".zst", "\x28\xb5\x2f\xfd", openZstd},
}

// maxWindow is the memory that zstd may need, as much as its own command takes
// unasked.
const maxWindow = 128 << 20

func openZstd(r io.Reader) (io.ReadCloser, error) {
	// A decoder of several goroutines would read ahead, and its Close wait for a
	// slow input.
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// decompress returns a reader of what r holds, decompressed if the name says that
// it is compressed, or its first bytes. finish must be called.
func decompress(r io.Reader, name string) (plain io.Reader, finish func(), err error) {
	head, err := readHead(r)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	r = io.MultiReader(bytes.NewReader(head), r)
	for _, c := range compressions {
		named := strings.HasSuffix(name, c.suffix)
		if !named && !strings.HasPrefix(string(head), c.magic) {
			continue
		}
		d := decompressor{name: name, kind: c.name}
		if len(head) == 0 {
			return nil, nil, d.failed(errors.New("it is empty"))
		}
		opened, err := c.open(r)
		if err != nil {
			return nil, nil, d.failed(err)
		}
		d.r = opened
		return d, func() { opened.Close() }, nil
	}
	return r, func() {}, nil
}

// readHead reads as many bytes as tell what r holds, and no more, so that a slow
// stream of lines need not wait.
func readHead(r io.Reader) (head []byte, err error) {
	var buf [4]byte
	for mayBeMagic(string(head)) && err == nil {
		var n int
		n, err = r.Read(buf[len(head):])
		head = buf[:len(head)+n]
	}
	return head, err
}

// mayBeMagic reports whether more bytes are needed to tell.
func mayBeMagic(head string) bool {
	for _, c := range compressions {
		if len(head) < len(c.magic) && strings.HasPrefix(c.magic, head) {
			return true
		}
	}
	return false
}

// A decompressor says of which input its errors are.
type decompressor struct {
	r          io.Reader
	name, kind string
}

func (d decompressor) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = d.failed(err)
	}
	return n, err
}

func (d decompressor) failed(err error) error {
	if errors.As(err, new(interruption)) {
		return err
	}
	name := d.name
	if name == "-" {
		name = "standard input"
	}
	if err == io.EOF { // in the middle of a header
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: bad %s data: %w; --plain takes it as it is", name, d.kind, err)
}
