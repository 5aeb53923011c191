package format

import (
	"errors"
	"fmt"
	"io"

	"github.com/linebloom/linebloom/internal/mem"
)

// Encode writes a filter. read copies the bytes of the body from at on into p;
// it is called once for each chunk, in ascending order, so that a chunk and its
// checksum agree even if bits are set meanwhile.
func Encode(w io.Writer, h *Header, read func(p []byte, at uint64)) (n int64, err error) {
	write := func(p []byte) error {
		m, err := w.Write(p)
		n += int64(m)
		if err == nil && m < len(p) {
			err = io.ErrShortWrite
		}
		return err
	}
	if err := write(h.Append(nil)); err != nil {
		return n, err
	}
	chunk := make([]byte, min(ChunkBytes, h.BodyBytes()))
	sums := make([]uint32, h.Chunks())
	for i := range sums {
		from, to := h.Chunk(i)
		p := chunk[:to-from]
		read(p, from)
		sums[i] = Checksum(p)
		if err := write(p); err != nil {
			return n, err
		}
	}
	return n, write(h.AppendFooter(nil, sums))
}

// readHeader reads the first Offset bytes of a filter.
func readHeader(r io.Reader) (h Header, n int64, err error) {
	p := make([]byte, HeaderBytes)
	m, err := io.ReadFull(r, p)
	n = int64(m)
	if err != nil {
		return h, n, cut(err, "the header")
	}
	if h, err = Parse(p); err != nil {
		return h, n, err
	}
	p = append(p, make([]byte, h.Offset-HeaderBytes)...)
	m, err = io.ReadFull(r, p[HeaderBytes:])
	n += int64(m)
	if err != nil {
		return h, n, cut(err, "the header")
	}
	return h, n, h.ParseMetadata(p)
}

// ReadHeader reads a header with its metadata, and nothing behind it.
func ReadHeader(r io.Reader) (Header, error) {
	h, _, err := readHeader(r)
	return h, err
}

// firstRead is how much memory a stream is given before any of its body was
// read. From there on it gets as much again as it has filled.
const firstRead = 1 << 20

// grown returns how much memory a stream gets after have bytes of total. Twice as
// many bytes may be more than an int can say.
func grown(have, total int) int { return have + min(have, total-have) }

// Decode reads a filter up to the end of r, checks it, and returns its body as
// the memory of 64-bit words in the CPU's byte order. It never allocates much
// more than it has read.
func Decode(r io.Reader) (h Header, body []uint64, n int64, err error) {
	h, n, err = readHeader(r)
	if err != nil {
		return h, nil, n, err
	}
	if h.InUse {
		return h, nil, n, unclean()
	}
	if h.BodyBytes() > maxInt-ChunkBytes {
		return h, nil, n, fmt.Errorf("linebloom: %w: %d bytes, this CPU's address space ends at %d",
			ErrUnsupported, h.BodyBytes(), uint64(maxInt))
	}
	total := int(h.BodyBytes())
	body = mem.Words(min(total, firstRead) / 8)
	for have := 0; ; {
		m, err := io.ReadFull(r, mem.Bytes(body)[have:])
		n += int64(m)
		if have += m; err != nil {
			return h, nil, n, cut(err, "the blocks")
		}
		if have == total {
			break
		}
		more := mem.Words(grown(have, total) / 8)
		copy(more, body)
		body = more
	}

	// One byte more than the footer has, to see whether something follows.
	footer, err := io.ReadAll(io.LimitReader(r, int64(h.FooterBytes())+1))
	n += int64(len(footer))
	if err != nil {
		return h, nil, n, err
	}
	if len(footer) > h.FooterBytes() {
		return h, nil, n, fmt.Errorf("linebloom: %w: bytes follow the filter of %d bytes", ErrCorrupt, h.TotalBytes())
	}
	sums, err := h.ParseFooter(footer)
	if err != nil {
		return h, nil, n, err
	}
	return h, body, n, h.CheckBody(mem.Bytes(body), sums)
}

// DecodeBytes checks a filter that is in memory and returns its body, not a
// copy.
func DecodeBytes(p []byte) (h Header, body []byte, err error) {
	if h, err = Parse(p); err != nil {
		return h, nil, err
	}
	if err := h.CheckSize(uint64(len(p))); err != nil {
		return h, nil, err
	}
	if err := h.ParseMetadata(p); err != nil {
		return h, nil, err
	}
	if h.InUse {
		return h, nil, unclean()
	}
	end := uint64(h.Offset) + h.BodyBytes()
	sums, err := h.ParseFooter(p[end:])
	if err != nil {
		return h, nil, err
	}
	body = p[h.Offset:end:end]
	return h, body, h.CheckBody(body, sums)
}

// CheckBody compares all chunks with their checksums.
func (h *Header) CheckBody(body []byte, sums []uint32) error {
	for i, sum := range sums {
		from, to := h.Chunk(i)
		if err := h.CheckChunk(i, body[from:to], sum); err != nil {
			return err
		}
	}
	return nil
}

const maxInt = uint64(^uint(0) >> 1)

func unclean() error {
	return fmt.Errorf("linebloom: %w: it is open for writing, or its writer died", ErrUnclean)
}

// cut says where a stream ended too early.
func cut(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("linebloom: %w: the input ends within %s", ErrCorrupt, where)
	}
	return err
}
