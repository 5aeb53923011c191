package filterfile_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// A filter is saved once and mapped by whoever needs it, without copying.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "fruit.lbf")

	f, err := blocked.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	f.AddStrings([]string{"apple", "pear"})
	if err := filterfile.Save(path, f, []byte("of 2026")); err != nil {
		log.Fatal(err)
	}

	file, err := filterfile.Open(path, filterfile.Options{Verify: filterfile.VerifyLazy})
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	fmt.Println(file.HasString("apple"), file.HasString("plum"))
	fmt.Printf("%s, made for %d keys\n", file.Header().Metadata, file.Capacity())
	// Output:
	// true false
	// of 2026, made for 1000 keys
}
