// Command feed never shows a reader the same article twice. It keeps very many tiny
// filters, some hundred bytes for each reader, and simulates visits with several
// sizes of them, comparing with the truth.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
)

func main() {
	readers := flag.Int("readers", 20_000, "readers")
	rate := flag.Float64("rate", 0.01, "new articles that may be held back")
	flag.Parse()
	if err := run(os.Stdout, *readers, *rate); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer, readers int, rate float64) error {
	fmt.Fprintf(out, "%d readers, %d visits each. A visit shows %d of the newest %d articles,\n"+
		"in an order of the reader's own; %d new ones have appeared since the last visit.\n\n",
		readers, visits, shown, offered, fresh)
	fmt.Fprintln(out, "  memory per reader   in all   filters hold the last  shown twice  held back")
	for _, blocks := range []int{1, 2, 4} {
		f, err := NewFeed(readers, blocks, rate)
		if err != nil {
			return err
		}
		twice, held := simulate(f, readers)
		least, most := f.Remembers()
		fmt.Fprintf(out, "%3d + %2d = %3d bytes %5.1f MB   %3d to %3d articles  %11d   %6.2f %%\n",
			f.BytesPerReader()-stateBytes, stateBytes, f.BytesPerReader(), float64(f.BytesPerReader())*float64(readers)/1e6,
			least, most, twice, 100*held)
	}
	fmt.Fprintf(out, "\nA list of the %d articles that a reader was shown takes %d bytes and grows.\n"+
		"Held back: of the articles that were new to the reader and came first, those\n"+
		"that he was not shown. Filters that hold fewer articles than he is shown while\n"+
		"an article is offered (here %d) hold back old articles when they are full.\n",
		visits*shown, 4*visits*shown, offered*shown/fresh)
	return nil
}
