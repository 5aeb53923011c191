package scalable

import (
	"bytes"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/internal/formattest"
)

// FuzzDecode gives both decoders the same bytes: they agree, what they take is
// written again as it was, but for what other writers may do, and grows without
// breaking its promises. If repair is true, all checksums are made right first,
// which leads behind them.
func FuzzDecode(f *testing.F) {
	for _, n := range []int{0, 3, 5, 100} {
		g, _ := made(f, 3, 0.01, n)
		p := encoded(f, g)
		for _, q := range [][]byte{p, p[:len(p)-1], append(bytes.Clone(p), 0)} {
			f.Add(q, false)
			f.Add(q, true)
		}
		records := 128 + int(g.Bytes())
		for _, at := range []int{10, 12, 13, 14, 24, 32, 46, 64, 72, 73, 128, records, records + 8, records + 16, records + 30, records + 32, records + 33} {
			q := bytes.Clone(p)
			q[at]++
			f.Add(q, true)
		}
	}
	f.Fuzz(func(t *testing.T, p []byte, repair bool) {
		if repair {
			p = formattest.Repaired(p)
		}
		var g, fromReader Filter
		err := g.UnmarshalBinary(p)
		n, readErr := fromReader.ReadFrom(bytes.NewReader(p))
		if (err == nil) != (readErr == nil) || n < 0 || n > int64(len(p)) {
			t.Fatalf("UnmarshalBinary: %v, ReadFrom: %d of %d, %v", err, n, len(p), readErr)
		}
		if err != nil {
			return
		}
		q := encoded(t, &g)
		if !bytes.Equal(q, encoded(t, &fromReader)) {
			t.Fatal("the decoders give different filters")
		}
		h, peekErr := blocked.Peek(bytes.NewReader(p))
		if peekErr != nil || h.Links != g.Links() || h.Count > g.Len() || g.Len() > g.Capacity() || h.Seed != g.Seed() {
			t.Fatalf("%d links, %d of %d keys; Peek says %#v, %v", g.Links(), g.Len(), g.Capacity(), h, peekErr)
		}
		if h.Count == g.Len() && len(p) == len(q) && !bytes.Equal(p, q) {
			t.Fatalf("read\n%x, written\n%x", p, q)
		}
		g.SetMaxBytes(g.Bytes() + 1<<20)
		for x := range uint64(50) {
			was, err := g.TestAndAddUint64(x)
			if err == nil && !g.HasUint64(x) || err != nil && was || g.Len() > g.Capacity() {
				t.Fatalf("key %d: %v, %v, %d of %d keys", x, was, err, g.Len(), g.Capacity())
			}
		}
	})
}
