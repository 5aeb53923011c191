package pebble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/linebloom/linebloom/blocked"
)

// blockTrailer is what Pebble puts behind each block of a table: a byte that
// says how the block is compressed, and a checksum.
const blockTrailer = 5

// damaged is a database of one table, whose file can be damaged.
type damaged struct {
	t          *testing.T
	path, file string
	sound      []byte // the file's bytes
	at, length int    // of the filter block
}

const damagedKeys = 3_000

func newDamaged(t *testing.T) *damaged {
	d := &damaged{t: t, path: t.TempDir()}
	s := open(t, d.path, allInL0(options(FilterPolicy(10))))
	s.fill(0, damagedKeys)
	s.close()
	files, _ := filepath.Glob(filepath.Join(d.path, "*.sst"))
	if len(files) != 1 {
		t.Fatalf("%d tables, want 1", len(files))
	}
	d.file = files[0]
	var err error
	if d.sound, err = os.ReadFile(d.file); err != nil {
		t.Fatal(err)
	}
	r, _, _ := openTable(t, d.file, FilterPolicy(10))
	layout, err := r.Layout()
	if err != nil {
		t.Fatal(err)
	}
	if len(layout.Filter) != 1 {
		t.Fatalf("%d filter blocks, want 1", len(layout.Filter))
	}
	d.at, d.length = int(layout.Filter[0].Offset), int(layout.Filter[0].Length)
	if err := blocked.CheckCompact(d.filter(d.sound)); err != nil {
		t.Fatalf("the filter block is not what the policy wrote: %v", err)
	}
	return d
}

func (d *damaged) filter(file []byte) []byte { return file[d.at:][:d.length] }

// seal gives the filter block of file the checksum of what it says now, as if it
// had been written like that.
func (d *damaged) seal(file []byte) {
	sum := crc32.Checksum(file[d.at:][:d.length+1], crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(file[d.at+d.length+1:], (sum>>15|sum<<17)+0xa282ead8)
}

// get opens the database with its table changed, looks for some present keys, and
// returns how many were found and how many Gets reported corruption. A Get that
// says that a present key is not there fails the test.
func (d *damaged) get(change func(file []byte)) (found, corrupt int) {
	d.t.Helper()
	file := bytes.Clone(d.sound)
	change(file)
	if err := os.WriteFile(d.file, file, 0o644); err != nil {
		d.t.Fatal(err)
	}
	opts := allInL0(options(FilterPolicy(10)))
	opts.ReadOnly = true
	opts.CacheSize = 1 << 20
	opts.EventListener.DataCorruption = func(pebble.DataCorruptionInfo) {} // the default ends the program
	s := open(d.t, d.path, opts)
	defer s.close()
	// Pebble takes milliseconds to report corruption: two reports are enough.
	for i := uint64(0); i < damagedKeys && corrupt < 2; i += damagedKeys / 30 {
		_, closer, err := s.Get(keyOf(nil, i, true))
		switch {
		case err == nil:
			found++
			closer.Close()
		case errors.Is(err, pebble.ErrNotFound):
			d.t.Fatalf("key %d is lost", i)
		case pebble.IsCorruptionError(err):
			corrupt++
		default:
			d.t.Fatal(err)
		}
	}
	return found, corrupt
}

// The filter block of a real database file is damaged, one byte at a time, in its
// blocks, in its trailer, and in what Pebble puts behind it. Pebble notices.
func TestADamagedFilterBlockLosesNoKey(t *testing.T) {
	d := newDamaged(t)
	if found, corrupt := d.get(func([]byte) {}); found == 0 || corrupt > 0 {
		t.Fatalf("the sound database: %d keys found, %d corruptions", found, corrupt)
	}
	places := []int{}
	for i := 0; i < d.length; i += d.length / int(fewer(150, 20)) {
		places = append(places, i)
	}
	for i := d.length - blocked.CompactTrailer; i < d.length+blockTrailer; i++ {
		places = append(places, i)
	}
	foundAll, corruptAll := 0, 0
	for _, i := range places {
		found, corrupt := d.get(func(file []byte) { file[d.at+i] ^= 1 << (i % 8) })
		foundAll, corruptAll = foundAll+found, corruptAll+corrupt
	}
	t.Logf("%d places: %d Gets found their key, %d reported corruption, none lost it", len(places), foundAll, corruptAll)
	if corruptAll == 0 {
		t.Error("no damage was noticed: it did not reach the filter block")
	}
}

// A filter block that is damaged before Pebble computes its checksum, so that
// Pebble hands it to the policy: the policy notices what is wrong with the
// trailer, and all keys are found.
func TestAForgedFilterTrailerLosesNoKey(t *testing.T) {
	d := newDamaged(t)
	if found, _ := d.get(d.seal); found == 0 {
		t.Fatal("the checksum is not computed as Pebble does")
	}
	for i := d.length - blocked.CompactTrailer; i < d.length; i++ {
		for _, change := range []byte{0xFF, 1, 0x80} {
			if _, corrupt := d.get(func(file []byte) { file[d.at+i] ^= change; d.seal(file) }); corrupt > 0 {
				t.Fatalf("byte %d: Pebble refuses the block, the policy was not asked", i)
			}
		}
	}
	// And one that says nothing at all.
	d.get(func(file []byte) { clear(d.filter(file)); d.seal(file) })
}

// build returns a filter of keys 0 to n-1.
func build(policy pebble.FilterPolicy, n uint64) []byte {
	w := policy.NewWriter(pebble.TableFilter)
	var key []byte
	for i := range n {
		key = keyOf(key[:0], i, true)
		w.AddKey(key)
	}
	return w.Finish(nil)
}

// What is not a filter of the policy answers maybe, whatever it is asked.
func TestForeignBytesMayContainEverything(t *testing.T) {
	policy := FilterPolicy(10)
	sound := build(policy, 200)
	absent := uint64(0)
	for policy.MayContain(pebble.TableFilter, sound, keyOf(nil, absent, false)) {
		absent++
	}
	key := keyOf(nil, absent, false) // which the sound filter rejects
	check := func(what string, at int, filter []byte) {
		t.Helper()
		if !policy.MayContain(pebble.TableFilter, filter, key) {
			t.Fatalf("%s %d: answers no", what, at)
		}
	}
	for n := range sound {
		check("cut to", n, sound[:n])
		check("without the first", n+1, sound[n+1:])
	}
	for n := 1; n < 200; n++ {
		check("longer by", n, append(bytes.Clone(sound), make([]byte, n)...))
		check("zeros", n, make([]byte, n))
	}
	for i := len(sound) - blocked.CompactTrailer; i < len(sound); i++ {
		for change := 1; change < 256; change++ {
			mutant := bytes.Clone(sound)
			mutant[i] ^= byte(change)
			check("trailer byte", i, mutant)
		}
	}
	check("no bytes", 0, nil)
	theirs := build(bloom.FilterPolicy(10), 200)
	check("Pebble's filter of length", len(theirs), theirs)
}

// A filter without keys contains nothing, and one for too many keys everything.
func TestFiltersOfNoKeysAndOfTooMany(t *testing.T) {
	empty := build(FilterPolicy(10), 0)
	if FilterPolicy(10).MayContain(pebble.TableFilter, empty, []byte("key")) {
		t.Error("a filter without keys may contain a key")
	}
	small := FilterPolicy(10, blocked.WithMaxBytes(64))
	w := small.NewWriter(pebble.TableFilter)
	for i := range uint64(1000) {
		w.AddKey(keyOf(nil, i, true))
	}
	filter := w.Finish([]byte("prefix"))
	if string(filter) != "prefix" {
		t.Fatalf("a filter above its limit has %d bytes", len(filter)-len("prefix"))
	}
	if !small.MayContain(pebble.TableFilter, filter[6:], []byte("key")) {
		t.Error("a filter that was not built answers no")
	}
	if again := build(small, 5); !slices.Equal(again, build(small, 5)) || len(again) != 64+blocked.CompactTrailer {
		t.Errorf("the next filter has %d bytes", len(again))
	}
}
