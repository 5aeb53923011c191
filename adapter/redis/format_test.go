package redis

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
)

// What is in Redis, byte by byte, as docs/FORMAT.md describes it. If this test
// fails the format has changed, and filters of older versions cannot be read.
func TestTheFormat(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	c := config{shardLimit: 2 * 64}
	r := newRecord(blocked.Params{Blocks: 3, K: 3, Seed: 7}, 30, 0.125, c)
	for i := range r.id {
		r.id[i] = byte(0xA0 + i)
	}
	f := newFilter(servers{single: client}, "f", c, r)
	if err := f.claim(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range f.shards {
		if err := f.putShard(ctx, i, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.finish(ctx); err != nil {
		t.Fatal(err)
	}
	// The example of docs/FORMAT.md: bits 125, 155 and 430. Of three blocks it is
	// the first: (0x3971dc65 * 3) >> 32.
	if err := f.AddString(ctx, "apple"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []int64{125, 155, 430} {
		if bit := client.GetBit(ctx, "f:{0}", 8*(p>>3)+7-p&7).Val(); bit != 1 {
			t.Errorf("bit %d of the block is %d", p, bit)
		}
	}
	if n := client.BitCount(ctx, "f:{0}", nil).Val(); n != 3+countBits(f.shards[0].sentinel[:]) {
		t.Errorf("%d bits are set", n)
	}
	const zeros8 = "0000000000000000"
	sentinel := func(tag, shard, blocks string) string {
		return tag + "01" + "00000000000000" + "894c42530d0a1a0a" + "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf" +
			shard + "02000000" + blocks + zeros8
	}
	blocks := make([]byte, 128)
	blocks[15], blocks[19], blocks[53] = 0x20, 0x08, 0x40
	for key, want := range map[string]string{
		"f:{0}": hex.EncodeToString(blocks) + sentinel(tagOf(f, 0), "00000000", "0200000000000000"),
		"f:{1}": strings.Repeat("00", 64) + sentinel(tagOf(f, 1), "01000000", "0100000000000000"),
		"f:meta": "894c42520d0a1a0a" + "0100" + "02" + "00" + "02000000" + "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf" + "00000000" +
			strings.Repeat("00", 24) + "META",
	} {
		got := hex.EncodeToString([]byte(client.Get(ctx, key).Val()))
		if head, isMeta := strings.CutSuffix(want, "META"); isMeta {
			if len(got) != 2*(64+128) {
				t.Fatalf("the meta key has %d bytes", len(got)/2)
			}
			// Behind it is a header, which has tests of its own.
			h, err := blocked.Peek(strings.NewReader(client.Get(ctx, key).Val()[64:]))
			if err != nil || h.Params != r.params || h.Capacity != 30 || h.FPRate != 0.125 {
				t.Errorf("the header is %+v, %v", h, err)
			}
			got, want = got[:2*60], head
		}
		if got != want {
			t.Errorf("%s is\n%s, want\n%s", key, got, want)
		}
	}
}

func countBits(p []byte) (n int64) {
	for _, b := range p {
		for ; b != 0; b &= b - 1 {
			n++
		}
	}
	return n
}

// tagOf computes the tag from what follows it.
func tagOf(f *Filter, i int) string {
	h := blocked.HashKey(0, f.shards[i].sentinel[16:])
	var p [8]byte
	for j := range p {
		p[j] = byte(h >> (8 * j))
	}
	return hex.EncodeToString(p[:])
}
