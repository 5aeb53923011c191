package main

import "testing"

func TestQueriesHoldWhatTheySay(t *testing.T) {
	const n = 1000
	added := map[uint64]bool{}
	for _, h := range hashesFrom(0, n) {
		added[h] = true
	}
	for stream, least := range map[string]int{miss: 0, half: queryKeys * 49 / 100, hit: queryKeys} {
		hashes, held := queries(stream, n)
		found := 0
		others := map[uint64]bool{}
		for _, h := range hashes {
			if added[h] {
				found++
			} else {
				others[h] = true
			}
		}
		if found != held || held < least || len(hashes) != queryKeys || len(others) != queryKeys-held {
			t.Errorf("%s: %d keys, %d were added and %d said to be, %d distinct others",
				stream, len(hashes), found, held, len(others))
		}
	}
}

func TestByteKeysDiffer(t *testing.T) {
	seen := map[string]bool{}
	lengths := map[int]bool{}
	for seed := range uint64(2) {
		for _, key := range byteKeys(seed, 5000) {
			seen[string(key)] = true
			lengths[len(key)] = true
		}
	}
	if len(seen) != 10000 || len(lengths) != 25 || !lengths[16] || !lengths[40] {
		t.Errorf("%d distinct keys of 10000, %d lengths", len(seen), len(lengths))
	}
}

func TestSizes(t *testing.T) {
	sizes, err := parseSizes("4MiB, 16KiB,1GiB,16 KiB,100KiB")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"16 KiB", "100 KiB", "4 MiB", "1 GiB"} {
		if got := sizeName(sizes[i]); got != want {
			t.Errorf("size %d is %s, want %s", i, got, want)
		}
	}
	for _, bad := range []string{"", "16", "x", "-1MiB", "99999999999GiB", "1MiB,"} {
		if _, err := parseSizes(bad); err == nil {
			t.Errorf("%q is taken for sizes", bad)
		}
	}
}
