package counting_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/counting"
)

func ExampleNew() {
	f, err := counting.New(1_000_000, 0.01) // a million keys at a time, 1 % false positives
	if err != nil {
		log.Fatal(err)
	}
	f.AddString("apple")
	f.AddString("pear")
	fmt.Println(f.RemoveString("apple"), f.RemoveString("cherry"))
	fmt.Println(f.HasString("apple"), f.HasString("pear"), f.Len())
	// Output:
	// true false
	// false true 1
}

// A key that was added twice is there until it is removed twice.
func ExampleFilter_Remove() {
	f, err := counting.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	f.AddUint64(7)
	f.AddUint64(7)
	fmt.Println(f.RemoveUint64(7), f.HasUint64(7))
	fmt.Println(f.RemoveUint64(7), f.HasUint64(7))
	fmt.Println(f.RemoveUint64(7))
	// Output:
	// true true
	// true false
	// false
}

// Who wants each key once takes back what TestAndAdd saw.
func ExampleFilter_TestAndAdd() {
	f, err := counting.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	for _, visitor := range []string{"ada", "bob", "ada", "ada"} {
		if f.TestAndAddString(visitor) {
			f.RemoveString(visitor)
		}
	}
	fmt.Println(f.Len(), "visitors")
	f.RemoveString("ada") // who leaves
	fmt.Println(f.HasString("ada"), f.HasString("bob"))
	// Output:
	// 2 visitors
	// false true
}

// The filter that changes stays where the changes are; what is sent to the readers,
// or mapped by them, is a fifth of it.
func ExampleFilter_Plain() {
	f, err := counting.New(10_000, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	f.AddStrings([]string{"apple", "pear", "plum"})
	f.RemoveString("pear")

	plain := f.Plain()
	only, err := blocked.NewFromParams(f.Params())
	if err != nil {
		log.Fatal(err)
	}
	only.AddStrings([]string{"apple", "plum"})
	fmt.Println(plain.Equal(only))
	// Output:
	// true
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "counting")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sessions.lbf")

	f, err := counting.New(1000, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	f.AddStrings([]string{"s1", "s2"})
	if err := f.Save(path, nil); err != nil {
		log.Fatal(err)
	}

	f, err = counting.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.RemoveString("s1"), f.HasString("s1"), f.HasString("s2"), f.Len())
	// Output:
	// true false true 1
}

// A batch: bit i of the answers tells whether key i was removed.
func ExampleFilter_RemoveStrings() {
	f, err := counting.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	f.AddStrings([]string{"b", "d"})
	answers := make([]uint64, 1)
	removed := f.RemoveStrings(answers, []string{"a", "b", "c", "d", "e"})
	fmt.Printf("%d removed, %05b\n", removed, answers[0])
	// Output:
	// 2 removed, 01010
}
