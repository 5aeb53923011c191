package main

import (
	"slices"
	"sync/atomic"

	"github.com/linebloom/linebloom/blocked"
	"go.etcd.io/bbolt"
)

// A Registry holds the names that are taken in a store on disk, and in memory a
// filter of them. It may be used by any number of goroutines.
type Registry struct {
	LookUps atomic.Uint64 // how often the store was asked

	db     *bbolt.DB
	filter *blocked.AtomicFilter
}

var bucket = []byte("names")

// Open opens the store and fills the filter with all names in it, so that no crash
// can leave a name in the store and out of the filter. There will be room for so
// many names more at the given rate until the store is opened again.
func Open(path string, room uint64, fpRate float64) (*Registry, error) {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return nil, err
	}
	r := &Registry{db: db}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucket)
		if err != nil {
			return err
		}
		r.filter, err = blocked.NewAtomic(uint64(b.Stats().KeyN)+room, fpRate)
		if err != nil {
			return err
		}
		return b.ForEach(func(name, _ []byte) error {
			r.filter.Add(name)
			return nil
		})
	})
	if err != nil {
		db.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the store.
func (r *Registry) Close() error { return r.db.Close() }

// Taken reports whether somebody has the name. The store is asked only if the
// filter says maybe.
func (r *Registry) Taken(name string) (taken bool, err error) {
	if !r.filter.HasString(name) {
		return false, nil
	}
	return r.stored(name)
}

func (r *Registry) stored(name string) (taken bool, err error) {
	r.LookUps.Add(1)
	err = r.db.View(func(tx *bbolt.Tx) error {
		taken = tx.Bucket(bucket).Get([]byte(name)) != nil
		return nil
	})
	return taken, err
}

// SignUp takes the name, and returns false if somebody has it already. Of several
// who want it at the same time one gets it.
func (r *Registry) SignUp(name string) (ok bool, err error) {
	err = r.db.Update(func(tx *bbolt.Tx) error {
		ok, err = r.take(tx.Bucket(bucket), name)
		return err
	})
	return ok && err == nil, err
}

// Import takes many names, in transactions of a few thousand: bbolt keeps what one
// transaction adds in sorted slices.
func (r *Registry) Import(names []string) error {
	for some := range slices.Chunk(names, 4096) {
		err := r.db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket(bucket)
			for _, name := range some {
				if _, err := r.take(b, name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// take runs in a writing transaction, of which there is one at a time. The name is
// in the filter before it is in the store, never after; if the transaction fails it
// stays in the filter, which costs a look-up some day and no wrong answer.
func (r *Registry) take(b *bbolt.Bucket, name string) (bool, error) {
	if r.filter.TestAndAddString(name) {
		r.LookUps.Add(1)
		if b.Get([]byte(name)) != nil {
			return false, nil
		}
	}
	return true, b.Put([]byte(name), []byte{1})
}
