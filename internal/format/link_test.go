package format

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// chain is a chain of three links, and its body.
func chain() (Header, []Link, []byte) {
	links := []Link{
		{Blocks: 2, Capacity: 70, Count: 70, FPRate: 0.001, K: 9},
		{Blocks: 3, Capacity: 150, Count: 150, FPRate: 0.002, K: 8},
		{Blocks: 7, Capacity: 512 * 7, Count: 12, FPRate: 0.5, K: 16},
	}
	h := small()
	h.Layout, h.Links, h.K, h.Blocks, h.Capacity, h.FPRate = Chain, 3, 9, 12, 70, 0.6
	h.Count, h.CountState = 232, Exact
	body := make([]byte, h.Blocks*blockBytes)
	return h, links, AppendLinks(body, links)
}

func TestLinksComeBack(t *testing.T) {
	h, links, body := chain()
	if uint64(len(body)) != h.BodyBytes() {
		t.Fatalf("a body of %d bytes, want %d", len(body), h.BodyBytes())
	}
	_, got, err := DecodeBytes(encode(t, &h, body))
	if err != nil || !bytes.Equal(got, body) {
		t.Fatalf("%v, or another body", err)
	}
	if got, err := h.ParseLinks(got); err != nil || !reflect.DeepEqual(got, links) {
		t.Errorf("%+v, %v, want %+v", got, err, links)
	}
	h.Count = 230 // the others came while it was written
	if _, err := h.ParseLinks(body); err != nil {
		t.Error(err)
	}
}

// Records that contradict the header, themselves, or good sense are refused.
func TestLinksThatNobodyWritesAreRefused(t *testing.T) {
	for what, c := range map[string]struct {
		change func(h *Header, l []Link)
		err    error
		text   string
	}{
		"no blocks":        {func(_ *Header, l []Link) { l[1].Blocks = 0 }, ErrCorrupt, "0 blocks, want 1 to 2^32, in link 1 of 3"},
		"2^32 + 1 blocks":  {func(_ *Header, l []Link) { l[2].Blocks = 1<<32 + 1 }, ErrCorrupt, "4294967297 blocks"},
		"one block less":   {func(_ *Header, l []Link) { l[1].Blocks-- }, ErrCorrupt, "links of 11 blocks together, want 12"},
		"blocks that wrap": {func(_ *Header, l []Link) { l[0].Blocks = 1<<64 - 10 }, ErrCorrupt, "blocks, want 1 to 2^32"},
		"k = 0":            {func(_ *Header, l []Link) { l[1].K = 0 }, ErrCorrupt, "k is 0"},
		"k = 17":           {func(_ *Header, l []Link) { l[1].K = 17 }, ErrCorrupt, "k is 17"},
		"another k":        {func(h *Header, _ []Link) { h.K = 8 }, ErrCorrupt, "the first link has k = 9 and is for 70 keys, want 8 and 70"},
		"another capacity": {func(h *Header, _ []Link) { h.Capacity = 71 }, ErrCorrupt, "want 9 and 71"},
		"no capacity":      {func(_ *Header, l []Link) { l[2].Capacity = 0 }, ErrCorrupt, "7 blocks for 0 keys"},
		"much capacity":    {func(_ *Header, l []Link) { l[2].Capacity = 512*7 + 1 }, ErrCorrupt, "7 blocks for 3585 keys"},
		"all capacity":     {func(_ *Header, l []Link) { l[2].Capacity = math.MaxUint64 }, ErrCorrupt, "7 blocks for 18446744073709551615"},
		"overfull":         {func(_ *Header, l []Link) { l[1].Count = 151 }, ErrCorrupt, "151 keys, want at most the capacity, 150"},
		"fewer keys":       {func(_ *Header, l []Link) { l[1].Count-- }, ErrCorrupt, "links of 231 keys together, want at least the 232"},
		"estimated":        {func(h *Header, _ []Link) { h.CountState = Estimate }, ErrCorrupt, "in state 1, not 2"},
		"rate 0":           {func(_ *Header, l []Link) { l[1].FPRate = 0 }, ErrCorrupt, "rate is 0"},
		"rate 1":           {func(_ *Header, l []Link) { l[1].FPRate = 1 }, ErrCorrupt, "rate is 1"},
		"no number":        {func(_ *Header, l []Link) { l[1].FPRate = math.NaN() }, ErrCorrupt, "rate is NaN"},
		"rates above":      {func(_ *Header, l []Link) { l[1].FPRate = 0.1 }, ErrCorrupt, "together, want less than the 0.6"},
		"no rate":          {func(h *Header, _ []Link) { h.FPRate = 0 }, ErrCorrupt, "less than the 0 of"},
	} {
		h, links, body := chain()
		c.change(&h, links)
		body = AppendLinks(body[:12*blockBytes], links)
		got, err := h.ParseLinks(body)
		if got != nil || !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) || !strings.HasPrefix(err.Error(), "linebloom: ") {
			t.Errorf("%s: %v, want %v with %q", what, err, c.err, c.text)
		}
	}
	h, _, body := chain()
	for i := range 3 {
		for at := 33; at < LinkBytes; at++ {
			p := bytes.Clone(body)
			p[12*blockBytes+i*LinkBytes+at] = 1
			if _, err := h.ParseLinks(p); !errors.Is(err, ErrUnsupported) {
				t.Errorf("byte %d of record %d is 1: %v, want ErrUnsupported", at, i, err)
			}
		}
	}
}

// Layouts before the chain keep byte 13 zero, and a chain has 1 to 64 links.
func TestNumbersOfLinks(t *testing.T) {
	for layout := Blocked; layout <= Chain; layout++ {
		for links := range 256 {
			h := small()
			h.Layout, h.Links = layout, links
			p := h.Append(nil)
			got, err := Parse(p)
			good := layout != Chain && links == 0 || layout == Chain && links >= 1 && links <= MaxLinks
			if (err == nil) != good || err == nil && got.Links != links {
				t.Errorf("layout %d, %d links: %d, %v", layout, links, got.Links, err)
			}
		}
	}
}
