package filterfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/mem"
)

// openDamaged copies what is whole of a filter into memory. All bits of chunks
// that are damaged, cut off, or have no checksum are set, so that their keys are
// answered with maybe. why is what was found so far.
func openDamaged(f *os.File, h format.Header, size uint64, why error) (*File, error) {
	if limit := h.BodyBytes(); size < uint64(h.Offset) || limit/3 > size {
		// Most answers would be maybe, and a short file could
		// ask for any amount of memory.
		return nil, fmt.Errorf("%w; too little is left for degraded mode", why)
	}
	body := mem.Bytes(mem.Words(int(h.BodyBytes() / 8)))
	n, err := f.ReadAt(body, int64(h.Offset))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("linebloom: %w", err)
	}
	footer := make([]byte, h.FooterBytes())
	m := 0
	if n == len(body) {
		if m, err = f.ReadAt(footer, int64(h.Offset)+int64(len(body))); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("linebloom: %w", err)
		}
	}
	damaged := 0
	for i := range h.Chunks() {
		from, to := h.Chunk(i)
		// A checksum that agrees with its chunk is proof enough of both, even if
		// others are damaged.
		if sum, ok := sumAt(footer[:m], i); !ok || to > uint64(n) || h.CheckChunk(i, body[from:to], sum) != nil {
			fill(body[from:to])
			damaged++
		}
	}
	p := publicHeader(h)
	view, err := blocked.ViewOf(body, p.Params)
	if err != nil {
		return nil, err
	}
	file := &File{reads: reads{mapping: &mapping{file: f}, view: view}, header: p}
	file.damage = fmt.Errorf("%w; %d of %d chunks of 64 KiB answer maybe", why, damaged, h.Chunks())
	return file, nil
}

// sumAt returns checksum i of those that are there.
func sumAt(footer []byte, i int) (uint32, bool) {
	if 4*i+4 > len(footer) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(footer[4*i:]), true
}
