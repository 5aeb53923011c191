package redis

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/redis/go-redis/v9"
)

// A windowRecord is the value of the key of a window:
//
//	offset  size
//	0       8     magic
//	8       2     version, 1
//	10      2     how many generations are kept, 2 to 1000
//	12      4     zeros
//	16      16    id, random
//	32      8     number of the current generation, from 1 on
//	40      20    zeros
//	60      4     CRC-32C of bytes 0..59
//	64            header of an empty generation, as at the start of a file
type windowRecord struct {
	keep    int
	id      [16]byte
	current uint64
	header  format.Header
}

const (
	windowMagic    = "\x89LBW\r\n\x1a\n"
	maxGenerations = 1000
)

func (r *windowRecord) append(b []byte) []byte {
	p := make([]byte, metaBytes)
	le := binary.LittleEndian
	copy(p, windowMagic)
	le.PutUint16(p[8:], metaVersion)
	le.PutUint16(p[10:], uint16(r.keep))
	copy(p[16:], r.id[:])
	le.PutUint64(p[32:], r.current)
	le.PutUint32(p[60:], format.Checksum(p[:60]))
	r.header.Place(metaBytes)
	return r.header.Append(append(b, p...))
}

func parseWindowRecord(p []byte) (windowRecord, error) {
	le := binary.LittleEndian
	if err := checkRecord(p, windowMagic); err != nil {
		return windowRecord{}, err
	}
	if [4]byte(p[12:16]) != [4]byte{} || [20]byte(p[40:60]) != [20]byte{} {
		return windowRecord{}, fmt.Errorf("linebloom: %w: reserved bytes of the window's key are %x and %x, want zeros",
			blocked.ErrUnsupported, p[12:16], p[40:60])
	}
	r := windowRecord{keep: int(le.Uint16(p[10:])), id: [16]byte(p[16:32]), current: le.Uint64(p[32:])}
	if r.keep < 2 || r.keep > maxGenerations || r.current == 0 {
		return windowRecord{}, fmt.Errorf("linebloom: %w: %d generations, current %d, want 2 to %d, from 1 on",
			blocked.ErrCorrupt, r.keep, r.current, maxGenerations)
	}
	var err error
	r.header, err = parseHeader(p[metaBytes:])
	return r, err
}

// checkRecord checks what the two kinds of records have in common: magic, version
// and checksum.
func checkRecord(p []byte, magic string) error {
	if len(p) < metaBytes || string(p[:8]) != magic {
		return fmt.Errorf("linebloom: %w: key of %d bytes begins with %q, want %q",
			blocked.ErrCorrupt, len(p), p[:min(len(p), 8)], magic)
	}
	if v := binary.LittleEndian.Uint16(p[8:]); v != metaVersion {
		return fmt.Errorf("linebloom: %w: version %d of the key, this library knows %d", blocked.ErrUnsupported, v, metaVersion)
	}
	if want, got := binary.LittleEndian.Uint32(p[60:]), format.Checksum(p[:60]); got != want {
		return fmt.Errorf("linebloom: %w: checksum of the key is %#08x, want %#08x", blocked.ErrCorrupt, got, want)
	}
	return nil
}

// readWindowRecord reads the key of a window by way of a client or a transaction.
func readWindowRecord(ctx context.Context, client redis.Cmdable, name string) (windowRecord, error) {
	key := windowKey(name)
	value, err := client.GetRange(ctx, key, 0, maxMeta).Result()
	switch {
	case wrongType(err):
		return windowRecord{}, lost(key, "holds something else")
	case err != nil:
		return windowRecord{}, err
	case value == "":
		return windowRecord{}, fmt.Errorf("linebloom: window %s: %w", shorten(name), fs.ErrNotExist)
	}
	return parseWindowRecord([]byte(value))
}

// advance changes the number of the current generation from n to n+1. If somebody
// else did, that is as good.
func (w *Window) advance(ctx context.Context, n uint64) error {
	key := windowKey(w.name)
	err := w.servers.universal().Watch(ctx, func(tx *redis.Tx) error {
		r, err := readWindowRecord(ctx, tx, w.name)
		if err != nil {
			return err
		}
		if r.id != w.id || r.current != n {
			return nil
		}
		r.current = n + 1
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			return pipe.Set(ctx, key, r.append(nil), redis.KeepTTL).Err()
		})
		return err
	}, key)
	if errors.Is(err, redis.TxFailedErr) {
		return nil
	}
	return err
}
