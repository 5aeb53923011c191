package fuzz

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/counting"
	"github.com/linebloom/linebloom/internal/formattest"
)

// FuzzDecodeCounting gives all decoders of filters with counters the same bytes: they
// agree, what they take is written again as it was, and goes on counting. If repair is
// true, all checksums are made right first, which leads behind them.
func FuzzDecodeCounting(f *testing.F) {
	for _, p := range append(seeds(f), countingSeeds(f)...) {
		f.Add(p, false)
		f.Add(p, true)
	}
	f.Fuzz(func(t *testing.T, p []byte, repair bool) {
		if repair {
			p = formattest.Repaired(p)
		}
		var filter, fromReader, fromText counting.Filter
		err := filter.UnmarshalBinary(p)
		n, readErr := fromReader.ReadFrom(bytes.NewReader(p))
		textErr := fromText.UnmarshalText(base64.StdEncoding.AppendEncode(nil, p))
		if (err == nil) != (readErr == nil) || (err == nil) != (textErr == nil) || n < 0 || n > int64(len(p)) {
			t.Fatalf("UnmarshalBinary: %v, ReadFrom: %d of %d bytes, %v, UnmarshalText: %v", err, n, len(p), readErr, textErr)
		}
		if plainErr := new(blocked.Filter).UnmarshalBinary(p); err == nil && plainErr == nil {
			t.Fatal("it is taken with counters and without")
		}
		if err != nil {
			return
		}
		h, err := blocked.Peek(bytes.NewReader(p))
		if err != nil || !h.Counting || h.Params != filter.Params() || h.Count != filter.Len() || h.Capacity != filter.Capacity() {
			t.Fatalf("%v, %d keys, Peek says %#v, %v", filter.Params(), filter.Len(), h, err)
		}
		if !filter.Equal(&fromReader) || !filter.Equal(&fromText) {
			t.Fatalf("%v: the decoders give different filters", filter.Params())
		}
		q, err := filter.MarshalBinary()
		if err != nil || len(p) == len(q) && !bytes.Equal(p, q) {
			t.Fatalf("read\n%x, written\n%x, %v", p, q, err)
		}
		stuck := filter.Stuck()
		filter.AddString("apple")
		if !filter.HasString("apple") || !filter.RemoveString("apple") {
			t.Fatalf("%v: a key was added and is not there", filter.Params())
		}
		if filter.Stuck() == stuck && !filter.Equal(&fromReader) {
			t.Fatalf("%v: a key that was added and removed leaves something", filter.Params())
		}
	})
}

// countingSeeds returns filters with counters, and some with one thing changed each.
func countingSeeds(t testing.TB) (all [][]byte) {
	for _, p := range []blocked.Params{{Blocks: 1, K: 3, Seed: 7}, {Blocks: 5, K: 16}, {Blocks: 205, K: 8}} {
		f, err := counting.NewFromParams(p)
		if err != nil {
			t.Fatal(err)
		}
		for x := range p.Blocks * 40 {
			f.AddUint64(x % (p.Blocks * 35))
		}
		b, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b, b[:len(b)-1], append(bytes.Clone(b), 0))
		for _, at := range []int{10, 12, 24, 64, 71, 72, 128, 191, 192, 200, 447} {
			c := bytes.Clone(b)
			c[at] ^= 0x11
			all = append(all, c)
		}
	}
	return all
}
