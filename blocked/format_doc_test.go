package blocked

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/generic"
)

func formatDoc(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// formatExample returns the filter that docs/FORMAT.md shows.
func formatExample(t *testing.T) []byte {
	t.Helper()
	f, err := NewFromParams(Params{Blocks: 1, K: 3, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("apple")
	f.AddString("pear")
	p, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The dump in the document is what MarshalBinary gives.
func TestFormatDocShowsWhatIsWritten(t *testing.T) {
	_, rest, _ := strings.Cut(formatDoc(t), "```\n00000000")
	dump, _, ok := strings.Cut("00000000"+rest, "```")
	want := formatExample(t)
	if !ok || dump != hex.Dump(want) {
		t.Fatalf("docs/FORMAT.md shows\n%swant\n%s", dump, hex.Dump(want))
	}
	var shown []byte // without trusting hex.Dump
	for line := range strings.Lines(dump) {
		line, _, _ = strings.Cut(line[8:], "|")
		b, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, b...)
	}
	if !bytes.Equal(shown, want) {
		t.Fatalf("docs/FORMAT.md shows %x, want %x", shown, want)
	}
	var f Filter
	if err := f.UnmarshalBinary(shown); err != nil || !f.HasString("apple") || !f.HasString("pear") || f.HasString("plum") {
		t.Fatalf("the filter in docs/FORMAT.md: %v, or wrong answers", err)
	}
}

// The table below the dump explains bytes that are there.
func TestFormatDocExplainsWhatIsWritten(t *testing.T) {
	p, explained := formatExample(t), 0
	_, text, _ := strings.Cut(formatDoc(t), "\n## An example\n")
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		offset, ok := strings.CutPrefix(cells[0], "| 0x")
		if !ok {
			continue
		}
		at, err := strconv.ParseUint(offset, 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if cells[1] == "zeros" {
			continue
		}
		want := strings.Trim(cells[1], "`")
		if got := fmt.Sprintf("% x", p[at:][:(len(want)+1)/3]); got != want {
			t.Errorf("at 0x%s the document has %s, a filter %s", offset, want, got)
		}
		explained += (len(want) + 1) / 3
	}
	zeros := bytes.Count(p, []byte{0})
	if explained < len(p)-zeros {
		t.Errorf("%d bytes are explained, %d are not 0", explained, len(p)-zeros)
	}
}

func TestFormatDocHasTheHashesAndTheProbes(t *testing.T) {
	text := formatDoc(t)
	has := func(line string) {
		t.Helper()
		if !strings.Contains(text, line) {
			t.Errorf("docs/FORMAT.md lacks %q", line)
		}
	}
	for _, n := range []int{0, 3, 8, 16, 128, 240, 1000} {
		key := make([]byte, n)
		for i := range key {
			key[i] = byte(i)
		}
		has(fmt.Sprintf("\n| %d | %#016x | %#016x |\n", n, HashKey(0, key), HashKey(7, key)))
	}
	for i, s := range generic.Salts[:8] {
		has(fmt.Sprintf("\n| %d | 0x%08x | %d | 0x%08x |\n", i, s, 8+i, generic.Salts[8+i]))
	}

	h := HashString(7, "apple")
	has(fmt.Sprintf("has the hash %#016x. With\nB = 1000 its block is (0x%08x · 1000) >> 32 = %d. hi is 0x%08x, so start is\n%d,",
		h, uint32(h), generic.Offset(1000, h)/generic.BlockBytes, h>>32, generic.Start(uint32(h>>32))))
	var bits []string
	for i := range generic.MaxK {
		hi := uint32(h >> 32)
		lane := (generic.Start(hi) + i) % generic.Lanes
		bit := generic.Bit(hi, i)
		bits = append(bits, fmt.Sprint(bit))
		if product := hi * generic.Salts[lane]; i < 3 {
			has(fmt.Sprintf("\n| %d | %d | 0x%08x | 0x%08x | %d | %d | %d | 0x%02x |\n",
				i, lane, generic.Salts[lane], product, product>>26, bit, bit/8, 1<<(bit%8)))
		}
	}
	has("bits are " + strings.Join(bits[:8], " ") + " and, in the second round,\n" + strings.Join(bits[8:], " ") + ".\n")
}
