package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// le is shorter where tests write the fields of a header.
var le = binary.LittleEndian

// small is a filter of three blocks with metadata and padding.
func small() Header {
	h := Header{
		Layout: Blocked, K: 6, Seed: 0x0123456789abcdef, Blocks: 3, Capacity: 100, FPRate: 0.01,
		Metadata: []byte("of the user"), Count: 42, CountState: Estimate,
	}
	h.Place(64)
	return h
}

// reseal makes the checksums of the header right again, and with them the
// trailer's copy of one.
func reseal(p []byte) {
	le.PutUint32(p[atGeometrySum:], Checksum(p[:atGeometrySum]))
	le.PutUint32(p[atStateSum:], Checksum(p[AtCount:atStateSum]))
	copy(p[len(p)-12:], p[atGeometrySum:HeaderBytes/2])
}

// refused reports by which of this package's errors both decoders refuse p, and
// fails if one does not.
func refused(t *testing.T, what string, p []byte) error {
	t.Helper()
	_, _, err := DecodeBytes(p)
	_, _, n, err2 := Decode(bytes.NewReader(p))
	for name, err := range map[string]error{"DecodeBytes": err, "Decode": err2} {
		switch {
		case err == nil:
			t.Errorf("%s: %s takes it", what, name)
		case !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrUnclean):
			t.Errorf("%s: %s gives %v, none of this package's errors", what, name, err)
		case !strings.HasPrefix(err.Error(), "linebloom: "):
			t.Errorf("%s: %s gives %q", what, name, err)
		}
	}
	if n > int64(len(p)) {
		t.Errorf("%s: Decode read %d bytes of %d", what, n, len(p))
	}
	return err
}

func TestHeadersComeBack(t *testing.T) {
	for _, metadata := range []int{0, 1, 63, 64, 65, 3968, 3969, MaxMetadata} {
		for _, align := range []int{64, FileAlign} {
			for state := Exact; state <= Indeterminate; state++ {
				want := small()
				want.Metadata = bytes.Repeat([]byte{'m'}, metadata)
				want.CountState, want.Blocks, want.K = state, 1<<32, 16
				want.Place(align)
				if o := want.Offset; o%align != 0 || o < HeaderBytes+metadata || o >= HeaderBytes+metadata+align {
					t.Fatalf("%d bytes of metadata, multiples of %d: offset %d", metadata, align, o)
				}
				p := want.Append([]byte("prefix"))
				if len(p) != 6+want.Offset || string(p[:6]) != "prefix" {
					t.Fatalf("%d bytes behind a prefix of 6, want %d", len(p), want.Offset)
				}
				p = p[6:]
				got, err := Parse(p[:HeaderBytes])
				if err != nil {
					t.Fatal(err)
				}
				if err := got.ParseMetadata(p); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Metadata, want.Metadata) {
					t.Fatalf("%d bytes of metadata do not come back", metadata)
				}
				got.Metadata, want.Metadata = nil, nil
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%d bytes of metadata, multiples of %d: %+v, want %+v", metadata, align, got, want)
				}
			}
		}
	}
}

func TestSizesFollowFromTheHeader(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		blocks uint64
		chunks int
		total  uint64
	}{
		{Blocked, 1, 1, 128 + 64 + 4 + 16},
		{Blocked, 1024, 1, 128 + 65536 + 4 + 16},
		{Blocked, 1025, 2, 128 + 65600 + 8 + 16},
		{Blocked, 1 << 32, 1 << 22, 128 + 1<<38 + 4<<22 + 16},
		{Counting, 1, 1, 128 + 320 + 4 + 16},
		{Counting, 1 << 32, 5 << 22, 128 + 5<<38 + 20<<22 + 16},
		{Chain, 64, 1, 128 + 64*64 + 7*64 + 4 + 16},
		{Chain, 1024, 2, 128 + 65536 + 7*64 + 8 + 16},
		{Chain, 1 << 32, 1<<22 + 1, 128 + 1<<38 + 7*64 + 4<<22 + 4 + 16},
	} {
		h := Header{Layout: c.layout, Blocks: c.blocks}
		if c.layout == Chain {
			h.Links = 7
		}
		h.Place(64)
		if h.Chunks() != c.chunks || h.TotalBytes() != c.total {
			t.Errorf("layout %d, %d blocks: %d chunks, %d bytes, want %d, %d",
				c.layout, c.blocks, h.Chunks(), h.TotalBytes(), c.chunks, c.total)
		}
	}
}

// Every change of a byte before the blocks is found.
func TestEveryByteOfTheHeaderIsGuarded(t *testing.T) {
	h := small()
	p := encode(t, &h, body(&h))
	for at := range h.Offset {
		for x := 1; x < 256; x++ {
			p[at] ^= byte(x)
			err := refused(t, "a changed header", p)
			want := ErrCorrupt
			switch at {
			case atVersion, atVersion + 1:
				want = ErrUnsupported
			case AtInUse:
				want = ErrUnclean
			}
			if !errors.Is(err, want) {
				t.Fatalf("byte %d changed by %#02x: %v, want %v", at, x, err, want)
			}
			p[at] ^= byte(x)
		}
	}
}

// Numbers that no writer makes are refused although their checksums are right.
func TestHeadersThatNobodyWritesAreRefused(t *testing.T) {
	rate := func(x float64) func([]byte) {
		return func(p []byte) { le.PutUint64(p[atFPRate:], math.Float64bits(x)) }
	}
	blocks := func(n uint64) func([]byte) { return func(p []byte) { le.PutUint64(p[atBlocks:], n) } }
	offset := func(n uint32) func([]byte) { return func(p []byte) { le.PutUint32(p[atOffset:], n) } }
	metadata := func(n uint32) func([]byte) { return func(p []byte) { le.PutUint32(p[atMetadataLen:], n) } }
	set := func(at int, x byte) func([]byte) { return func(p []byte) { p[at] = x } }
	for what, c := range map[string]struct {
		change func([]byte)
		err    error
		text   string
	}{
		"version 0":           {set(atVersion, 0), ErrUnsupported, "version 0 of the format, this library knows 1"},
		"version 2":           {set(atVersion, 2), ErrUnsupported, "version 2 of the format"},
		"version 257":         {set(atVersion+1, 1), ErrUnsupported, "version 257"},
		"layout 0":            {set(atLayout, 0), ErrUnsupported, "layout 0, this library knows 1 to 3"},
		"layout 4":            {set(atLayout, 4), ErrUnsupported, "layout 4"},
		"a chain of none":     {set(atLayout, byte(Chain)), ErrCorrupt, "a chain of 0 links, want 1 to 64"},
		"links in no chain":   {set(atLinks, 1), ErrUnsupported, "reserved bytes 13 to 15 are 010000"},
		"hash 0":              {set(atHash, 0), ErrUnsupported, "hash 0, this library knows 1"},
		"hash 2":              {set(atHash, 2), ErrUnsupported, "hash 2"},
		"k = 0":               {set(atK, 0), ErrCorrupt, "k is 0, want 1 to 16"},
		"k = 17":              {set(atK, 17), ErrCorrupt, "k is 17"},
		"reserved":            {set(15, 1), ErrUnsupported, "reserved bytes 13 to 15 are 000001"},
		"no block":            {blocks(0), ErrCorrupt, "0 blocks, want 1 to 2^32"},
		"2^32 + 1 blocks":     {blocks(1<<32 + 1), ErrCorrupt, "4294967297 blocks"},
		"2^33 blocks":         {blocks(1 << 33), ErrCorrupt, "8589934592 blocks"},
		"2^64 - 1 blocks":     {blocks(1<<64 - 1), ErrCorrupt, "18446744073709551615 blocks"},
		"no number":           {rate(math.NaN()), ErrCorrupt, "target rate is NaN"},
		"infinite rate":       {rate(math.Inf(1)), ErrCorrupt, "target rate is +Inf"},
		"negative rate":       {rate(-0.5), ErrCorrupt, "target rate is -0.5"},
		"rate of 1":           {rate(1), ErrCorrupt, "target rate is 1, want 0 (not known) to 1"},
		"offset 0":            {offset(0), ErrCorrupt, "blocks at offset 0 behind 11 bytes of metadata"},
		"offset in metadata":  {offset(128), ErrCorrupt, "offset 128"},
		"odd offset":          {offset(200), ErrCorrupt, "offset 200"},
		"far offset":          {offset(128 + 64 + 4096), ErrCorrupt, "offset 4288"},
		"offset below 2^32":   {offset(1<<32 - 64), ErrCorrupt, "offset -64"},
		"much metadata":       {metadata(MaxMetadata + 1), ErrCorrupt, "65537 bytes of metadata, want at most 65536"},
		"metadata of 2^31":    {metadata(1 << 31), ErrCorrupt, "bytes of metadata"},
		"metadata to the end": {metadata(65), ErrCorrupt, "blocks at offset 192 behind 65 bytes of metadata"},
		"less metadata":       {metadata(10), ErrCorrupt, "the 54 bytes between metadata and blocks are not zeros"},
		"count state 0":       {set(AtCountState, 0), ErrCorrupt, "state of the count is 0, want 1 to 3"},
		"count state 4":       {set(AtCountState, 4), ErrCorrupt, "state of the count is 4"},
		"reserved state":      {set(atReserved2, 9), ErrUnsupported, "reserved bytes 74 to 123 are 09"},
		"end of the state":    {set(atStateSum-1, 9), ErrUnsupported, "reserved bytes 74 to 123"},
	} {
		h := small()
		p := encode(t, &h, body(&h))
		c.change(p)
		reseal(p)
		if err := refused(t, what, p); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v with %q", what, err, c.err, c.text)
		}
		if _, err := ReadHeader(bytes.NewReader(p)); !errors.Is(err, c.err) {
			t.Errorf("%s: ReadHeader: %v, want %v", what, err, c.err)
		}
	}
}

// A filter that is in use has a header that can be read, whatever its state is,
// and blocks that nobody vouches for.
func TestFiltersInUseAreNotDamagedButNotWhole(t *testing.T) {
	h := small()
	h.InUse = true
	p := encode(t, &h, body(&h))
	le.PutUint64(p[AtCount:], 99) // its checksum is not right any more
	p[AtCountState] = 77
	for x := 1; x < 256; x++ {
		p[AtInUse] = byte(x)
		if err := refused(t, "in use", p); !errors.Is(err, ErrUnclean) {
			t.Fatalf("in use by %d: %v, want ErrUnclean", x, err)
		}
		got, err := ReadHeader(bytes.NewReader(p))
		if err != nil || !got.InUse || got.Count != 99 || got.CountState != 77 || string(got.Metadata) != "of the user" {
			t.Fatalf("in use by %d: header %+v, %v", x, got, err)
		}
	}
	p[AtInUse] = 0
	if err := refused(t, "not in use", p); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("not in use, wrong checksum of the state: %v, want ErrCorrupt", err)
	}
}
