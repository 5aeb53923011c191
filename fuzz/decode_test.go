package fuzz

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/format"
	"github.com/linebloom/linebloom/internal/formattest"
)

// FuzzDecode gives all decoders the same bytes: they agree, and what they take is
// written again as it was. If repair is true, all checksums are made right first,
// which leads behind them.
func FuzzDecode(f *testing.F) {
	for _, p := range seeds(f) {
		f.Add(p, false)
		f.Add(p, true)
	}
	f.Fuzz(func(t *testing.T, p []byte, repair bool) {
		if repair {
			p = formattest.Repaired(p)
		}
		var filter, fromReader, fromText blocked.Filter
		var shared, sharedReader blocked.AtomicFilter
		err := filter.UnmarshalBinary(p)
		n, readErr := fromReader.ReadFrom(bytes.NewReader(p))
		textErr := fromText.UnmarshalText(base64.StdEncoding.AppendEncode(nil, p))
		sharedErr := shared.UnmarshalBinary(p)
		_, sharedReadErr := sharedReader.ReadFrom(bytes.NewReader(p))
		for what, other := range map[string]error{
			"Filter.ReadFrom": readErr, "Filter.UnmarshalText": textErr,
			"AtomicFilter.UnmarshalBinary": sharedErr, "AtomicFilter.ReadFrom": sharedReadErr,
		} {
			if (err == nil) != (other == nil) {
				t.Fatalf("UnmarshalBinary: %v, %s: %v", err, what, other)
			}
		}
		h, peekErr := blocked.Peek(bytes.NewReader(p))
		if n < 0 || n > int64(len(p)) {
			t.Fatalf("ReadFrom read %d bytes of %d", n, len(p))
		}
		new(blocked.Filter).UnmarshalText(p)
		if err != nil {
			return
		}
		if peekErr != nil || h.Params != filter.Params() || h.Capacity != filter.Capacity() ||
			h.FPRate != filter.TargetFPRate() || h.Size != uint64(len(p)) || h.InUse || n != int64(len(p)) {
			t.Fatalf("UnmarshalBinary takes %d bytes as %v, Peek says %#v, %v", len(p), filter.Params(), h, peekErr)
		}
		for what, g := range map[string]blocked.Viewer{
			"ReadFrom": &fromReader, "UnmarshalText": &fromText, "AtomicFilter": &shared, "AtomicFilter.ReadFrom": &sharedReader,
		} {
			if !filter.Equal(g) {
				t.Fatalf("%v: %s gives another filter", filter.Params(), what)
			}
		}
		encodeAgain(t, p, h, &filter, &shared)
	})
}

// encodeAgain writes a filter that was read from p. The bytes are the same but for
// what other writers may do: metadata, the place of the blocks, and the count.
func encodeAgain(t *testing.T, p []byte, h blocked.Header, filter *blocked.Filter, shared *blocked.AtomicFilter) {
	q, err := filter.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := shared.MarshalBinary(); err != nil || !bytes.Equal(q, r) {
		t.Fatalf("Filter and AtomicFilter are written differently, %v", err)
	}
	again, err := blocked.Peek(bytes.NewReader(q))
	if err != nil {
		t.Fatal(err)
	}
	if h.Count == again.Count && h.CountState == again.CountState && len(p) == len(q) && !bytes.Equal(p, q) {
		t.Fatalf("read\n%x, written\n%x", p, q)
	}
	var g blocked.Filter
	if err := g.UnmarshalBinary(q); err != nil || !g.Equal(filter) ||
		g.Capacity() != filter.Capacity() || g.TargetFPRate() != filter.TargetFPRate() {
		t.Fatalf("%v: written again, it is another filter, %v", filter.Params(), err)
	}
}

// seeds returns filters, and filters with one thing changed each.
func seeds(t testing.TB) (all [][]byte) {
	for _, p := range []blocked.Params{{Blocks: 1, K: 3, Seed: 7}, {Blocks: 5, K: 16}, {Blocks: 1025, K: 8}} {
		f, err := blocked.NewFromParams(p)
		if err != nil {
			t.Fatal(err)
		}
		for x := range p.Blocks * 40 {
			f.AddUint64(x)
		}
		b, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b, b[:len(b)-1], append(bytes.Clone(b), 0))
		if p.Blocks > 1 {
			continue
		}
		for _, at := range []int{0, 8, 10, 11, 12, 15, 24, 28, 31, 46, 47, 48, 49, 52, 54, 64, 72, 73, 74, 123, 128, 191, 192, 196, 200, 211} {
			c := bytes.Clone(b)
			c[at] ^= 0xff
			d := bytes.Clone(b)
			d[at]++
			all = append(all, c, d)
		}
	}
	for _, align := range []int{64, format.FileAlign} { // metadata
		h := format.Header{Layout: format.Blocked, K: 6, Blocks: 2, Capacity: 9, FPRate: 0.1, Count: 1,
			CountState: format.Exact, Metadata: []byte("of the user")}
		h.Place(align)
		var buf bytes.Buffer
		if _, err := format.Encode(&buf, &h, func(p []byte, at uint64) { clear(p) }); err != nil {
			t.Fatal(err)
		}
		all = append(all, buf.Bytes())
	}
	return all
}
