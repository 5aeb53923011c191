package pebble_test

import (
	"fmt"
	"log"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
	linebloom "github.com/linebloom/linebloom/adapter/pebble"
)

func Example() {
	opts := &pebble.Options{FS: vfs.NewMem()} // leave FS out for a database on disk
	opts.EnsureDefaults()
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = linebloom.FilterPolicy(10)
	}
	// Tables that Pebble's own policy wrote before keep their filters.
	old := bloom.FilterPolicy(10)
	opts.Filters = map[string]pebble.FilterPolicy{old.Name(): old}

	db, err := pebble.Open("data", opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for i := range 1000 {
		if err := db.Set(fmt.Appendf(nil, "key %04d", 2*i), nil, pebble.NoSync); err != nil {
			log.Fatal(err)
		}
	}
	if err := db.Flush(); err != nil {
		log.Fatal(err)
	}
	found := 0
	for i := range 1998 { // every second of them is there
		if _, closer, err := db.Get(fmt.Appendf(nil, "key %04d", i)); err == nil {
			found++
			closer.Close()
		}
	}
	filters := db.Metrics().Filter
	fmt.Println(found, "found; most others without a read:", filters.Hits > 950)
	// Output: 999 found; most others without a read: true
}
