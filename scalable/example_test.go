package scalable_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/scalable"
)

// Nobody knows how many keys will come; the rate holds all the same.
func ExampleNew() {
	f, err := scalable.New(1000, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	for x := range uint64(100_000) {
		if err := f.AddUint64(x); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(f.HasUint64(99_999), f.Links(), "links")
	fmt.Println(f.EstimateFPRate() < 0.01)
	// Output:
	// true 3 links
	// true
}

// Crawlers share one filter: of all that find a page, one fetches it.
func ExampleFilter_TestAndAdd() {
	f, err := scalable.New(10, 1e-6)
	if err != nil {
		log.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	fetched := 0
	for range 8 {
		wg.Go(func() {
			for page := range 500 {
				seen, err := f.TestAndAdd(fmt.Appendf(nil, "https://example.com/%d", page))
				if err != nil {
					log.Fatal(err)
				}
				if !seen {
					mu.Lock()
					fetched++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(fetched, f.Len())
	// Output: 500 500
}

// A filter that may not grow any more refuses keys, and never gets worse.
func ExampleFilter_SetMaxBytes() {
	f, err := scalable.New(1000, 0.01, blocked.WithMaxBytes(64<<10))
	if err != nil {
		log.Fatal(err)
	}
	x := uint64(0)
	for err == nil {
		x++
		err = f.AddUint64(x)
	}
	fmt.Println(errors.Is(err, blocked.ErrTooLarge), f.Bytes() <= 64<<10)
	fmt.Println(f.HasUint64(x-1), f.EstimateFPRate() < 0.01)

	f.SetMaxBytes(1 << 20)
	fmt.Println(f.AddUint64(x), f.HasUint64(x))
	// Output:
	// true true
	// true true
	// <nil> true
}

// A batch is tested several times faster than one key after another.
func ExampleFilter_HasStrings() {
	f, err := scalable.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	if err := f.AddStrings([]string{"apple", "pear"}); err != nil {
		log.Fatal(err)
	}
	answers := make([]uint64, 1)
	hits := f.HasStrings(answers, []string{"plum", "pear", "fig", "apple"})
	fmt.Printf("%d hits, %04b\n", hits, answers[0])
	// Output: 2 hits, 1010
}

// A filter is saved with what its user wants to know later, and goes on growing when
// it is opened again.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "scalable")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "seen.lbf")

	f, err := scalable.New(10, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	if err := f.AddStrings([]string{"apple", "pear"}); err != nil {
		log.Fatal(err)
	}
	if err := f.Save(path, []byte("of monday")); err != nil {
		log.Fatal(err)
	}

	g, err := scalable.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	for x := range uint64(1000) {
		if err := g.AddUint64(x); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(f.Links(), g.Links(), g.HasString("pear"))

	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	h, err := blocked.Peek(file)
	fmt.Printf("%s, %d keys, %v\n", h.Metadata, h.Count, err)
	// Output:
	// 1 3 true
	// of monday, 2 keys, <nil>
}
