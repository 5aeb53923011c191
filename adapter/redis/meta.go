package redis

import (
	"encoding/binary"
	"fmt"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
)

// A record is the value of the meta key:
//
//	offset  size
//	0       8     magic
//	8       2     version, 1
//	10      1     state: 1 being filled, 2 ready
//	11      1     1 if the filter was loaded, 0 if it was made empty
//	12      4     blocks per shard
//	16      16    id, random, given when the filter is made
//	32      4     checksum of the checksums of the loaded chunks, as in a file's trailer; or 0
//	36      24    zeros
//	60      4     CRC-32C of bytes 0..59
//	64            header and metadata of the filter, as at the start of a file
type record struct {
	ready  bool
	loaded bool
	id     [16]byte
	sum    uint32
	header format.Header
	layout
}

const (
	metaMagic   = "\x89LBR\r\n\x1a\n"
	metaVersion = 1
	metaBytes   = 64

	filling = 1
	ready   = 2

	// maxMeta is the size of the largest meta key. Nothing longer is read.
	maxMeta = metaBytes + format.HeaderBytes + format.MaxMetadata + format.FileAlign
)

func (r *record) append(b []byte) []byte {
	p := make([]byte, metaBytes)
	le := binary.LittleEndian
	copy(p, metaMagic)
	le.PutUint16(p[8:], metaVersion)
	p[10] = filling
	if r.ready {
		p[10] = ready
	}
	if r.loaded {
		p[11] = 1
	}
	le.PutUint32(p[12:], uint32(r.perShard))
	copy(p[16:], r.id[:])
	le.PutUint32(p[32:], r.sum)
	le.PutUint32(p[60:], format.Checksum(p[:60]))
	r.header.Place(metaBytes)
	return r.header.Append(append(b, p...))
}

// parseRecord reads a meta key. Its errors wrap blocked.ErrCorrupt or
// blocked.ErrUnsupported.
func parseRecord(p []byte) (record, error) {
	le := binary.LittleEndian
	if err := checkRecord(p, metaMagic); err != nil {
		return record{}, err
	}
	if state := p[10]; state != filling && state != ready {
		return record{}, fmt.Errorf("linebloom: %w: state %d of the meta key, this library knows %d and %d",
			blocked.ErrUnsupported, state, filling, ready)
	}
	if p[11] > 1 || [24]byte(p[36:60]) != [24]byte{} {
		return record{}, fmt.Errorf("linebloom: %w: reserved bytes of the meta key are %x and %x, want zeros",
			blocked.ErrUnsupported, p[11], p[36:60])
	}
	r := record{ready: p[10] == ready, loaded: p[11] == 1, id: [16]byte(p[16:32]), sum: le.Uint32(p[32:])}
	var err error
	if r.header, err = parseHeader(p[metaBytes:]); err != nil {
		return record{}, err
	}
	params := blocked.Params{Blocks: r.header.Blocks, K: r.header.K, Seed: r.header.Seed}
	per := uint64(le.Uint32(p[12:]))
	if per == 0 || per*64 > maxShard || (params.Blocks+per-1)/per > maxShards {
		return record{}, fmt.Errorf("linebloom: %w: shards of %d blocks for %d, want 1 to %d and at most %d shards",
			blocked.ErrCorrupt, per, params.Blocks, maxShard/64, maxShards)
	}
	r.layout = layout{params, per, int((params.Blocks + per - 1) / per)}
	return r, nil
}

// parseHeader reads the header of a filter and the metadata behind it, which are
// all of p.
func parseHeader(p []byte) (format.Header, error) {
	h, err := format.Parse(p)
	if err != nil {
		return h, err
	}
	if len(p) != h.Offset {
		return h, fmt.Errorf("linebloom: %w: header of %d bytes, want %d", blocked.ErrCorrupt, len(p), h.Offset)
	}
	if h.Layout != format.Blocked || h.InUse {
		return h, fmt.Errorf("linebloom: %w: layout %d of the filter, in use: %v; want %d, not in use",
			blocked.ErrUnsupported, h.Layout, h.InUse, format.Blocked)
	}
	return h, h.ParseMetadata(p)
}
