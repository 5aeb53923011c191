package window_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/linebloom/linebloom/window"
)

// A message that comes twice within ten minutes is dropped.
func ExampleSliding() {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s, err := window.NewSliding(window.Config{
		Duration: 10 * time.Minute,
		Capacity: 100_000, // messages in ten minutes
		FPRate:   0.001,
		Clock:    func() time.Time { return now }, // for this example; leave it out
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.SeenString("message 1"), s.SeenString("message 1"))
	now = now.Add(10 * time.Minute)
	fmt.Println("after 10 minutes:", s.SeenString("message 1"), s.SeenString("message 2"))
	now = now.Add(20 * time.Minute)
	fmt.Println("after 20 more:", s.SeenString("message 1"))
	// Output:
	// false true
	// after 10 minutes: true false
	// after 20 more: false
}

// The last 1000 different visitors, whenever they came.
func ExampleSliding_byCount() {
	s, err := window.NewSliding(window.Config{Count: 1000, FPRate: 0.0001, Generations: 5})
	if err != nil {
		log.Fatal(err)
	}
	s.SeenString("Ada")
	visitors := make([]uint64, 1000)
	for i := range visitors {
		visitors[i] = uint64(i)
	}
	answers := make([]uint64, (len(visitors)+63)/64)
	fmt.Println(s.SeenUint64s(answers, visitors), s.HasString("Ada"))
	for i := range visitors {
		visitors[i] += 1000
	}
	fmt.Println(s.SeenUint64s(answers, visitors), s.HasString("Ada"))
	// Output:
	// 0 true
	// 0 false
}

// A filter of what is in a store follows the store: keys that are deleted there are
// forgotten when it is rebuilt.
func ExampleLive() {
	store := map[string]bool{"apple": true, "pear": true, "plum": true}
	f, err := blocked.NewAtomic(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	l := window.NewLive(f)
	rebuild := func() {
		err := l.Rebuild(context.Background(), func(yield func([]byte, error) bool) {
			for key := range maps.Keys(store) {
				if !yield([]byte(key), nil) {
					return
				}
			}
		}, window.RebuildOptions{Room: 1000})
		if err != nil {
			log.Fatal(err)
		}
	}
	rebuild()
	fmt.Println(l.HasString("apple"), l.HasString("pear"))

	delete(store, "pear")
	store["quince"] = true // first the store,
	l.AddString("quince")  // then the filter
	fmt.Println(l.HasString("pear"), l.HasString("quince"))
	rebuild()
	fmt.Println(l.HasString("pear"), l.HasString("quince"))
	// Output:
	// true true
	// true true
	// false true
}

// Keys come through a channel, from several goroutines for example.
func ExampleFromChannel() {
	f, err := blocked.NewAtomic(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	l := window.NewLive(f)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	keys := make(chan []byte)
	go func() {
		defer close(keys)
		for i := range 100 {
			select {
			case keys <- fmt.Appendf(nil, "key %d", i):
			case <-ctx.Done():
				return
			}
		}
	}()
	if err := l.Rebuild(ctx, window.FromChannel(ctx, keys), window.RebuildOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.HasString("key 99"), l.HasString("key 100"), l.Capacity())
	// Output:
	// true false 100
}

// One program saves a new filter now and then, and others that have the file open go
// over to it.
func ExampleFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "blocked.lbf")
	save := func(names ...string) {
		f, err := blocked.New(1000, 0.001)
		if err != nil {
			log.Fatal(err)
		}
		f.AddStrings(names)
		if err := filterfile.Save(path, f, nil); err != nil {
			log.Fatal(err)
		}
	}

	save("mallory")
	f, err := window.OpenFile(path, window.FileOptions{Every: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.HasString("mallory"), f.HasString("trudy"))

	save("trudy")
	if err := f.Refresh(); err != nil { // now, and not within a minute
		log.Fatal(err)
	}
	fmt.Println(f.HasString("mallory"), f.HasString("trudy"))
	// Output:
	// true false
	// false true
}
