package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// The lines are those between the newlines, however the stream is cut.
func TestLineReaderSplitsAtNewlines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	texts := []string{"", "\n", "a", "a\n", "\n\n", "a\nb", "a\n\nb\n", strings.Repeat("x", lineBuffer), strings.Repeat("x", lineBuffer-1) + "\ny"}
	for range 30 {
		var b strings.Builder
		for range r.IntN(50) {
			b.WriteString(strings.Repeat("y", r.IntN(1<<r.IntN(17))))
			b.WriteString(strings.Repeat("\n", r.IntN(3)))
		}
		texts = append(texts, b.String())
	}
	for _, text := range texts {
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1] // no line behind the last newline
		}
		for name, in := range map[string]io.Reader{
			"whole":          strings.NewReader(text),
			"halves":         iotest.HalfReader(strings.NewReader(text)),
			"end with data":  iotest.DataErrReader(strings.NewReader(text)),
			"byte by byte":   iotest.OneByteReader(strings.NewReader(text[:min(len(text), 5000)])),
			"random lengths": &choppy{strings.NewReader(text), r},
		} {
			if name == "byte by byte" && len(text) > 5000 {
				continue
			}
			var got []string
			var batch [][]byte
			var err error
			for l := newLineReader(in, '\n'); ; {
				if batch, err = l.next(batch); err != nil {
					break
				}
				for _, line := range batch {
					got = append(got, string(line))
				}
			}
			if err != io.EOF || !slices.Equal(got, want) {
				t.Fatalf("%s of %.60q: %d lines, %v; want %d lines", name, text, len(got), err, len(want))
			}
		}
	}
}

type choppy struct {
	r io.Reader
	n *rand.Rand
}

func (c *choppy) Read(p []byte) (int, error) {
	return c.r.Read(p[:c.n.IntN(len(p)+1)]) // sometimes nothing
}

// BenchmarkLines gives the time of reading and splitting a file of URLs, as every
// command does, and of counting newlines, as wc -l does.
func BenchmarkLines(b *testing.B) {
	var text strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&text, "https://www.example.com/articles/%x/%d\n", i*i, i)
	}
	name := file(b, text.String())
	for _, c := range []struct {
		name string
		read func(io.Reader) int
	}{
		{"lineReader", func(r io.Reader) (n int) {
			var batch [][]byte
			for lines := newLineReader(r, '\n'); ; {
				var err error
				if batch, err = lines.next(batch); err != nil {
					return n
				}
				n += len(batch)
			}
		}},
		{"counting", func(r io.Reader) (n int) {
			buf := make([]byte, lineBuffer)
			for {
				m, err := r.Read(buf)
				if err != nil {
					return n
				}
				n += bytes.Count(buf[:m], []byte("\n"))
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				f, err := os.Open(name)
				if err != nil {
					b.Fatal(err)
				}
				if n := c.read(f); n != 1_000_000 {
					b.Fatalf("%d lines", n)
				}
				f.Close()
			}
		})
	}
}
