package goleveldb_test

import (
	"fmt"
	"log"

	"github.com/linebloom/linebloom/adapter/goleveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

func Example() {
	db, err := leveldb.Open(storage.NewMemStorage(), &opt.Options{
		Filter: goleveldb.NewFilter(16),
		// Tables that LevelDB's own filter wrote before go on using it.
		AltFilters: []filter.Filter{filter.NewBloomFilter(10)},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Put([]byte("apple"), []byte("red"), nil); err != nil {
		log.Fatal(err)
	}
	there, _ := db.Has([]byte("apple"), nil)
	absent, _ := db.Has([]byte("pear"), nil)
	fmt.Println(there, absent)
	// Output: true false
}
