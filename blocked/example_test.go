package blocked_test

import (
	"fmt"
	"log"
	"math/bits"
	"sync"

	"github.com/linebloom/linebloom/blocked"
)

func ExampleNew() {
	f, err := blocked.New(1_000_000, 0.01) // a million keys, 1 % false positives
	if err != nil {
		log.Fatal(err)
	}
	f.AddString("apple")
	f.Add([]byte("banana"))
	f.AddUint64(42)
	fmt.Println(f.HasString("apple"), f.HasUint64(42), f.HasString("cherry"))
	fmt.Println(f.Params(), f.Params().Bytes(), "bytes")
	// Output:
	// true true false
	// 19402 blocks, k = 6, seed 0x0 1241728 bytes
}

// A batch of keys is tested several times faster than one key after another.
// Bit i of the answers belongs to key i.
func ExampleFilter_HasStrings() {
	f, err := blocked.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	f.AddStrings([]string{"b", "d"})

	keys := []string{"a", "b", "c", "d", "e"}
	answers := make([]uint64, (len(keys)+63)/64)
	hits := f.HasStrings(answers, keys)
	fmt.Println(hits, "hits")
	for w, word := range answers {
		for ; word != 0; word &= word - 1 {
			fmt.Println(keys[64*w+bits.TrailingZeros64(word)])
		}
	}
	// Output:
	// 2 hits
	// b
	// d
}

// Many goroutines claim work; each piece goes to one of them.
func ExampleAtomicFilter_TestAndAdd() {
	f, err := blocked.NewAtomic(1000, 1e-6)
	if err != nil {
		log.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	claimed := 0
	for range 8 {
		wg.Go(func() {
			for page := range uint64(100) {
				if !f.TestAndAddUint64(page) { // it was not there: this call added it
					mu.Lock()
					claimed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(claimed, "pages were claimed")
	// Output: 100 pages were claimed
}

// A filter that lies in the bytes of a table is probed where it lies.
func ExampleViewOf() {
	b, err := blocked.NewBuilder(0.01)
	if err != nil {
		log.Fatal(err)
	}
	for i := range uint64(1000) {
		b.AddUint64(i)
	}
	f, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	// What a table has to store: the blocks, their number, k and the seed.
	stored, params := f.Blocks(), f.Params()

	v, err := blocked.ViewOf(stored, params)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.HasUint64(7), v.HasUint64(7_000_000))
	// Output: true false
}

// One key is hashed once and looked up in the filters of many tables.
func ExampleHasHashEach() {
	var tables []blocked.View
	for t := range uint64(16) {
		f, err := blocked.New(100, 1e-4)
		if err != nil {
			log.Fatal(err)
		}
		for i := range uint64(100) {
			f.AddUint64(100*t + i)
		}
		tables = append(tables, f.View())
	}
	var answers [1]uint64
	hits := blocked.HasHashEach(answers[:], tables, blocked.HashUint64(0, 1234))
	fmt.Println(hits, "table may have the key: number", bits.TrailingZeros64(answers[0]))
	// Output: 1 table may have the key: number 12
}

func ExampleParams_FPRate() {
	p, err := blocked.ParamsFor(1_000_000, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range []uint64{500_000, 1_000_000, 2_000_000} {
		fmt.Printf("%7d keys: %.3f %%\n", n, 100*p.FPRate(n))
	}
	// Output:
	//  500000 keys: 0.045 %
	// 1000000 keys: 1.000 %
	// 2000000 keys: 12.327 %
}

func ExampleFilter_Union() {
	monday, err := blocked.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	tuesday := monday.NewLike()
	monday.AddString("alice")
	tuesday.AddString("bob")
	if err := monday.Union(tuesday); err != nil {
		log.Fatal(err)
	}
	fmt.Println(monday.HasString("alice"), monday.HasString("bob"))
	// Output: true true
}
