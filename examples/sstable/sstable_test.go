package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const keys = 5_000

func open16(t *testing.T) Tables {
	t.Helper()
	var ts Tables
	dir := t.TempDir()
	for i := range uint64(tables) {
		table, err := writeAndOpen(filepath.Join(dir, fmt.Sprint(i)), i*keys, (i+1)*keys)
		if err != nil {
			t.Fatal(err)
		}
		ts = append(ts, table)
	}
	t.Cleanup(func() { ts.Close() })
	return ts
}

func TestOneKeyAgainstManyTablesReadsHardlyMoreThanItsOwn(t *testing.T) {
	ts := open16(t)
	for i := range uint64(tables * keys) {
		if v, ok := ts.Get(key(i)); !ok || !bytes.Equal(v, value(i)) {
			t.Fatalf("key %d: %q, %v", i, v, ok)
		}
	}
	const n = tables * keys
	if reads := ts.reads(); reads > n*12/10 { // one, and 1 % of those before it
		t.Errorf("%d reads of data for %d present keys", reads, n)
	}
	ts.resetReads()
	for i := uint64(n); i < 2*n; i++ {
		if _, ok := ts.Get(key(i)); ok {
			t.Fatalf("absent key %d is found", i)
		}
	}
	t.Logf("%d absent keys, %d tables: %d reads of data, %.4f of those without filters", n, tables, ts.reads(), float64(ts.reads())/n/tables)
	if reads := ts.reads(); reads == 0 || reads > n*tables*12/1000 {
		t.Errorf("%d reads of data for %d absent keys in %d tables", reads, n, tables)
	}
}

func TestManyKeysAgainstOneTableReadOnlyTheirs(t *testing.T) {
	table := open16(t)[3]
	for _, n := range []int{0, 1, 63, 64, 65, 255, 256, 257, 3000} {
		table.Reads = 0
		batch := make([][]byte, n)
		for i := range batch { // every second one is there
			batch[i] = key(3*keys + uint64(i/2) + uint64(i%2)*keys)
		}
		for i, v := range table.MultiGet(batch) {
			if want := value(3*keys + uint64(i/2)); i%2 == 0 && !bytes.Equal(v, want) || i%2 == 1 && v != nil {
				t.Fatalf("%d keys, key %d: %q", n, i, v)
			}
		}
		if present := (n + 1) / 2; table.Reads < present || table.Reads > present+5+n/50 {
			t.Errorf("%d keys, of which %d are there: %d reads of data", n, present, table.Reads)
		}
	}
}

func TestADamagedFilterLosesNoKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	table, err := writeAndOpen(path, 0, 500)
	if err != nil {
		t.Fatal(err)
	}
	table.Close()
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(sound) - footerBytes - 656; at < len(sound)-footerBytes; at += 7 {
		damaged := bytes.Clone(sound)
		damaged[at] ^= 0xFF
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(500) {
			if _, ok := (Tables{table}).Get(key(i)); !ok {
				t.Fatalf("byte %d damaged: key %d is lost", at, i)
			}
		}
		table.Close()
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, t.TempDir(), keys); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	if !bytes.Contains(out.Bytes(), []byte("1000 keys against one table: 500 found")) ||
		!bytes.Contains(out.Bytes(), []byte("1000 keys against 16 tables: 500 found")) {
		t.Error("the program finds something else")
	}
}
