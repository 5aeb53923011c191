// Command badwords is the classic demonstration of Bloom filters, exactly: 32 words
// go into a filter of 100 bits with four homely hashes, and four of them are taken
// for words that were there before. With 1000 bits none is. Beside it stands a
// linebloom filter of one block, the smallest there is.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/linebloom/linebloom/blocked"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

type filter interface {
	HasString(word string) bool
	AddString(word string)
}

func run(out io.Writer) error {
	p, err := blocked.ParamsFor(uint64(len(words)), 0.001)
	if err != nil {
		return err
	}
	line, err := blocked.NewFromParams(p)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d different words, each added after the filter was asked for it.\n"+
		"Whatever is reported as already present is a false positive.\n", len(words))
	n := float64(len(words))
	for _, bits := range []int{100, 1000} {
		const k = 4
		ideal := math.Pow(1-math.Exp(-k*n/float64(bits)), k)
		demonstrate(out, fmt.Sprintf("%d bits, the four hashes of the demonstration", bits), make(toy, bits), ideal)
	}
	demonstrate(out, fmt.Sprintf("linebloom, %d bits, k = %d", 8*p.Bytes(), p.K), line, p.FPRate(uint64(len(words))))
	return nil
}

// demonstrate prints what the filter reports while the words are added, and how
// often it is wrong about other words then.
func demonstrate(out io.Writer, name string, f filter, expected float64) {
	reported := report(f)
	fmt.Fprintf(out, "\n%s\n  already present: %s\n  takes %.2f %% of random words for present; good hashes would %.2f %%\n",
		name, orNone(reported), 100*wrong(f), 100*expected)
}

// report adds the words and returns those that the filter believed to have already.
func report(f filter) (present []string) {
	for _, w := range words {
		if f.HasString(w) {
			present = append(present, w)
		}
		f.AddString(w)
	}
	return present
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// wrong returns the fraction of random strings of 7 to 10 letters that the filter
// takes for words.
func wrong(f filter) float64 {
	const asked = 100_000
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	var word [10]byte
	for range asked {
		for i := range word {
			word[i] = 'a' + byte(r.IntN(26))
		}
		if f.HasString(string(word[:7+r.IntN(4)])) {
			hits++
		}
	}
	return float64(hits) / asked
}
