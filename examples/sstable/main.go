// Command sstable shows how a storage engine embeds linebloom's filters. It writes
// sorted tables with a filter block behind the data, maps them, and answers
// multi-gets in the two ways that engines need: many keys against one table, and
// one key against many tables. It counts the reads of data that filters save.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/linebloom/linebloom/blocked"
)

func main() {
	dir, err := os.MkdirTemp("", "sstable")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(os.Stdout, dir, 20_000); err != nil {
		log.Fatal(err)
	}
}

const tables = 16

// run writes tables of so many keys each and asks them.
func run(out io.Writer, dir string, keys uint64) error {
	var store Tables
	defer store.Close()
	for i := range uint64(tables) {
		t, err := writeAndOpen(filepath.Join(dir, fmt.Sprintf("%02d.table", i)), i*keys, (i+1)*keys)
		if err != nil {
			return err
		}
		store = append(store, t)
	}

	// Many keys against one table: half of them are in it.
	batch := make([][]byte, 1000)
	for i := range batch {
		batch[i] = key(keys - 500 + uint64(i))
	}
	one := store[0]
	found := 0
	for _, value := range one.MultiGet(batch) {
		if value != nil {
			found++
		}
	}
	fmt.Fprintf(out, "%d keys against one table: %d found, %d reads of data\n", len(batch), found, one.Reads)

	// One key against 16 tables, each key in at most one of them.
	store.resetReads()
	found = 0
	const asked = 1000
	for i := range uint64(asked) {
		if _, ok := store.Get(key(i * keys * tables / asked * 2)); ok {
			found++
		}
	}
	fmt.Fprintf(out, "%d keys against %d tables: %d found, %d reads of data instead of up to %d\n",
		asked, tables, found, store.reads(), asked*tables)
	return nil
}

// key returns a key, value its value.
func key(i uint64) []byte   { return fmt.Appendf(nil, "key %012d", i) }
func value(i uint64) []byte { return fmt.Appendf(nil, "value of %d", i) }

func writeAndOpen(path string, from, to uint64) (*Table, error) {
	filter, err := blocked.NewBuilderForBits(10)
	if err != nil {
		return nil, err
	}
	w := NewWriter(filter)
	for i := from; i < to; i++ {
		w.Add(key(i), value(i))
	}
	data, err := w.Finish()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return nil, err
	}
	return Open(path)
}
