// Command cacheguard puts a filter and a cache with single flights in front of a
// slow store, floods them with requests for keys that are not there, and then with
// requests for one key that is not cached. It counts the calls that reach the store.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"github.com/linebloom/linebloom/blocked"
)

func main() {
	keys := flag.Int("keys", 100_000, "keys in the store, and absent keys asked for")
	callers := flag.Int("callers", 1000, "concurrent callers who want one key")
	rate := flag.Float64("rate", 0.01, "false positive rate of the filter")
	latency := flag.Duration("latency", time.Millisecond, "of the store")
	flag.Parse()
	if err := run(os.Stdout, *keys, *callers, *rate, *latency); err != nil {
		log.Fatal(err)
	}
}

func present(i int) string { return fmt.Sprint("product ", i) }
func absent(i int) string  { return fmt.Sprint("nothing ", i) }

// newGuard returns a guard of a store with so many keys, which are present(i).
func newGuard(keys int, rate float64, latency time.Duration) (*Guard, *memoryStore, error) {
	filter, err := blocked.NewAtomic(uint64(max(keys, 0)), rate)
	if err != nil {
		return nil, nil, err
	}
	store := &memoryStore{latency: latency, values: make(map[string]string)}
	for i := range keys {
		store.values[present(i)] = fmt.Sprint("value ", i)
		filter.AddString(present(i))
	}
	return NewGuard(store, filter, 10_000), store, nil
}

func run(out io.Writer, keys, callers int, rate float64, latency time.Duration) error {
	guard, store, err := newGuard(keys, rate, latency)
	if err != nil {
		return err
	}
	ctx := context.Background()
	fmt.Fprintf(out, "%d keys in a store that takes %v per call, %d KiB of filter before it\n",
		keys, latency, guard.filter.Params().Bytes()>>10)

	fmt.Fprintf(out, "penetration: %d other keys are asked for\n", keys)
	for _, when := range []string{"the first time", "once more"} {
		store.Calls.Store(0)
		began := time.Now()
		for i := range keys {
			if _, err := guard.GetOrLoad(ctx, absent(i)); !errors.Is(err, ErrAbsent) {
				return fmt.Errorf("%q: %v, want %v", absent(i), err, ErrAbsent)
			}
		}
		calls := store.Calls.Load()
		fmt.Fprintf(out, "  %s: %d calls of the store (%.2f %%), %v instead of %v\n",
			when, calls, 100*float64(calls)/float64(keys),
			time.Since(began).Round(time.Millisecond), time.Duration(keys)*latency)
	}

	fmt.Fprintf(out, "breakdown: %d callers want one key at the same time\n", callers)
	store.Calls.Store(0)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { guard.GetOrLoad(ctx, present(0)) })
	}
	all.Wait()
	_, err = fmt.Fprintf(out, "  calls of the store: %d\n", store.Calls.Load())
	return err
}
