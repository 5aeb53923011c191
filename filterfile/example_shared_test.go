//go:build linux || darwin

package filterfile_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/linebloom/linebloom/filterfile"
)

// Several processes may do this with the same file at the same time: of all of
// them, one is told that a key is new.
func ExampleOpenOrCreate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	seen, err := filterfile.OpenOrCreate(filepath.Join(dir, "seen.lbf"), 1_000_000, 1e-6)
	if err != nil {
		log.Fatal(err)
	}
	for _, url := range []string{"a.example", "b.example", "a.example"} {
		if !seen.TestAndAddString(url) {
			fmt.Println("fetch", url)
		}
	}
	n, err := seen.Len()
	fmt.Println(n, err, seen.CountState())
	if err := seen.Sync(); err != nil { // from here on no crash loses them
		log.Fatal(err)
	}
	if err := seen.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// fetch a.example
	// fetch b.example
	// 2 <nil> exact
}
