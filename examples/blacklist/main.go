// Command blacklist screens mail by a black list of addresses. Mail servers hold a
// filter of the list instead of the list. A filter is wrong about a few good
// addresses, so an audit asks it for all that mail is known to be wanted from, and
// those that it would block become exceptions, which are looked up exactly.
package main

import (
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"time"
)

func main() {
	listed := flag.Int("listed", 100_000, "addresses on the black list")
	good := flag.Int("good", 1_000_000, "good addresses that the audit knows")
	rate := flag.Float64("rate", 0.001, "false positive rate of the filter")
	flag.Parse()
	if err := run(os.Stdout, *listed, *good, *rate); err != nil {
		log.Fatal(err)
	}
}

// addresses returns n synthetic addresses of a kind.
func addresses(kind string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprintf("%s.%d@example.com", kind, i)) {
				return
			}
		}
	}
}

func run(out io.Writer, listed, good int, rate float64) error {
	if listed < 1 || good < 1 {
		return fmt.Errorf("%d listed and %d good addresses, want 1 or more", listed, good)
	}
	more := listed / 20 // that will be added later
	list, err := NewList(uint64(listed+more), rate)
	if err != nil {
		return err
	}
	size := 0
	for a := range addresses("spam", listed) {
		list.Add(a)
		size += len(a)
	}
	fmt.Fprintf(out, "%d listed addresses: a filter of %d KiB instead of %d KiB of text\n",
		listed, list.filter.Params().Bytes()>>10, size>>10)

	show := func(what string) {
		wrong := blocks(&list.Screen, addresses("user", good))
		fmt.Fprintf(out, "%s\n  %d of %d good addresses are blocked (%.3f %%), %d exceptions\n",
			what, wrong, good, 100*float64(wrong)/float64(good), len(list.exceptions))
	}
	show("before an audit:")
	began := time.Now()
	list.Audit(addresses("user", good))
	show(fmt.Sprintf("after the audit, which took %v:", time.Since(began).Round(time.Millisecond)))
	for a := range addresses("more.spam", more) {
		list.Add(a)
	}
	show(fmt.Sprintf("after %d addresses more on the list:", more))
	list.Audit(addresses("user", good))
	show("after another audit:")

	caught := blocks(&list.Screen, addresses("spam", listed)) + blocks(&list.Screen, addresses("more.spam", more))
	fmt.Fprintf(out, "all the time: %d of %d listed addresses are blocked\n", caught, listed+more)
	strangers := blocks(&list.Screen, addresses("stranger", good))
	fmt.Fprintf(out, "no audit can help whom it does not know: %.3f %% of strangers are blocked\n",
		100*float64(strangers)/float64(good))
	return nil
}

// blocks counts the addresses that the screen blocks.
func blocks(s *Screen, all iter.Seq[string]) (n int) {
	for a := range all {
		if s.Blocks(a) {
			n++
		}
	}
	return n
}
