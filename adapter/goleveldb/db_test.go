package goleveldb

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	lerrors "github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// asked counts what a filter is asked and how often it says no.
type asked struct {
	filter.Filter
	all, no int
}

func (a *asked) Contains(filter, key []byte) bool {
	yes := a.Filter.Contains(filter, key)
	if a.all++; !yes {
		a.no++
	}
	return yes
}

func open(t *testing.T, path string, o *opt.Options) *leveldb.DB {
	t.Helper()
	o.WriteBuffer, o.CompactionTableSize = 1<<20, 1<<19
	db, err := leveldb.OpenFile(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func fill(t *testing.T, db *leveldb.DB, from, to uint64) {
	t.Helper()
	var batch leveldb.Batch
	for i := from; i < to; i++ {
		batch.Put(keyOf(i, true), []byte("what is stored under this key, forty bytes"))
		if batch.Len() == 1000 || i == to-1 {
			if err := db.Write(&batch, nil); err != nil {
				t.Fatal(err)
			}
			batch.Reset()
		}
	}
}

// checkKeys looks for keys from to to-1, all of them or none of which are stored.
func checkKeys(t *testing.T, db *leveldb.DB, from, to uint64, stored bool) {
	t.Helper()
	for i := from; i < to; i++ {
		if ok, err := db.Has(keyOf(i, stored), nil); err != nil || ok != stored {
			t.Fatalf("key %d: found %v, %v, want %v", i, ok, err, stored)
		}
	}
}

func keysOf(t *testing.T) uint64 {
	if testing.Short() {
		return 40_000
	}
	return 200_000
}

// The real engine with 200,000 keys on disk, compacted and opened again: no key is
// lost, and the filter spares nearly all reads of absent keys. LevelDB's own
// filter is beside it.
func TestNoKeyIsLostInADatabase(t *testing.T) {
	n := keysOf(t)
	for _, bits := range []int{10, 20} {
		for _, f := range []filter.Filter{NewFilter(float64(bits)), filter.NewBloomFilter(bits)} {
			path := t.TempDir()
			db := open(t, path, &opt.Options{Filter: f})
			fill(t, db, 0, n)
			checkKeys(t, db, 0, n/10, true)
			if err := db.CompactRange(util.Range{}); err != nil {
				t.Fatal(err)
			}
			db.Close()
			counted := &asked{Filter: f}
			db = open(t, path, &opt.Options{Filter: counted})
			checkKeys(t, db, 0, n, false)
			rate := 1 - float64(counted.no)/float64(counted.all)
			size, _ := db.SizeOf([]util.Range{{Limit: []byte("z")}})
			t.Logf("%s, %d bits: %d filters asked about %d absent keys, rate %.3g; tables of %d bytes",
				f.Name(), bits, counted.all, n, rate, size.Sum())
			if counted.all < int(n)*9/10 || rate > 0.02 {
				t.Errorf("%s: rate %.3g", f.Name(), rate)
			}
			checkKeys(t, db, 0, n, true)
			db.Close()
		}
	}
}

func TestFiltersCanBeChanged(t *testing.T) {
	const n = 20_000
	ours, theirs := NewFilter(10), filter.NewBloomFilter(10)
	for _, c := range []struct{ before, after filter.Filter }{{theirs, ours}, {ours, theirs}} {
		path := t.TempDir()
		db := open(t, path, &opt.Options{Filter: c.before})
		fill(t, db, 0, n)
		if err := db.CompactRange(util.Range{}); err != nil { // writes tables
			t.Fatal(err)
		}
		db.Close()
		old := &asked{Filter: c.before}
		db = open(t, path, &opt.Options{Filter: c.after, AltFilters: []filter.Filter{old}})
		checkKeys(t, db, 0, n, false)
		if old.no < n*9/10 {
			t.Errorf("tables of %s, opened with %s: the old filters said no %d times", c.before.Name(), c.after.Name(), old.no)
		}
		fill(t, db, n, 2*n)
		checkKeys(t, db, 0, 2*n, true)
		db.Close()
		db = open(t, path, &opt.Options{Filter: c.after}) // without the old one's name
		checkKeys(t, db, 0, 2*n, true)
		db.Close()
	}
}

// A table file on disk is damaged at many single bytes. No Get says that a present
// key is not there: it finds it or reports corruption.
func TestADamagedTableFileLosesNoKey(t *testing.T) {
	const n = 2_000
	path := t.TempDir()
	db := open(t, path, &opt.Options{Filter: NewFilter(10), Compression: opt.NoCompression})
	fill(t, db, 0, n)
	if err := db.CompactRange(util.Range{}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	files, _ := filepath.Glob(filepath.Join(path, "*.ldb"))
	if len(files) != 1 {
		t.Fatalf("%d tables, want 1", len(files))
	}
	sound, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	// The filter block is among the last blocks: about 11 bits per key with its
	// offsets, then the index and the footer.
	found, corrupt := 0, 0
	for at := len(sound) - 6_000; at < len(sound)-100; at += 40 {
		damaged := append([]byte(nil), sound...)
		damaged[at] ^= 0xFF
		if err := os.WriteFile(files[0], damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := leveldb.OpenFile(path, &opt.Options{Filter: NewFilter(10), ReadOnly: true})
		if err != nil {
			corrupt++
			continue
		}
		for i := uint64(0); i < n; i += n / 50 {
			switch _, err := db.Get(keyOf(i, true), nil); {
			case err == nil:
				found++
			case errors.Is(err, leveldb.ErrNotFound):
				t.Fatalf("byte %d damaged: key %d is lost", at, i)
			case lerrors.IsCorrupted(err):
				corrupt++
			default:
				t.Fatal(err)
			}
		}
		db.Close()
	}
	t.Logf("%d Gets found their key, %d reported corruption, none lost it", found, corrupt)
	if found == 0 {
		t.Error("no key was found")
	}
}
