package pebble

import (
	"bytes"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/linebloom/linebloom/blocked"
)

// Look-ups allocate nothing, whatever they look into, and writers use the memory
// of those before them again.
func TestNeitherLookUpsNorWritersAllocate(t *testing.T) {
	policy := FilterPolicy(10)
	filter := build(policy, 1000)
	key := keyOf(nil, 1, true)
	if n := testing.AllocsPerRun(100, func() {
		if !policy.MayContain(pebble.TableFilter, filter, key) {
			t.Fatal("a key is lost")
		}
	}); n != 0 {
		t.Errorf("%g allocations per look-up", n)
	}
	if raceEnabled {
		t.Skip("the race detector empties pools at random")
	}
	keys := make([][]byte, 10_000)
	for i := range keys {
		keys[i] = keyOf(nil, uint64(i), true)
	}
	var dst []byte
	if n := testing.AllocsPerRun(20, func() {
		w := policy.NewWriter(pebble.TableFilter)
		for _, k := range keys {
			w.AddKey(k)
		}
		dst = w.Finish(dst[:0])
	}); n > 1 { // the writer itself
		t.Errorf("%g allocations per filter, want only that of the writer", n)
	}
}

// Versions of a key follow each other and count once: the filter is that of the
// distinct keys.
func TestVersionsOfAKeyCountOnce(t *testing.T) {
	policy := FilterPolicyForRate(0.01)
	w := policy.NewWriter(pebble.TableFilter)
	for i := range uint64(1000) {
		for range 5 {
			w.AddKey(keyOf(nil, i, true))
		}
	}
	if !bytes.Equal(w.Finish(nil), build(policy, 1000)) {
		t.Error("the filter differs from that of the distinct keys")
	}
}

// The filters of one policy are read by every other: they carry their parameters.
func TestPoliciesReadEachOthersFilters(t *testing.T) {
	policies := []pebble.FilterPolicy{
		FilterPolicy(5), FilterPolicy(20.5), FilterPolicyForRate(0.001), FilterPolicy(10, blocked.WithSeed(7)),
	}
	for _, writer := range policies {
		filter := build(writer, 500)
		for _, reader := range policies {
			if reader.Name() != Name {
				t.Fatalf("name %q", reader.Name())
			}
			passed := 0
			for i := range uint64(500) {
				if !reader.MayContain(pebble.TableFilter, filter, keyOf(nil, i, true)) {
					t.Fatalf("key %d is lost", i)
				}
				if reader.MayContain(pebble.TableFilter, filter, keyOf(nil, i, false)) {
					passed++
				}
			}
			if passed > 150 {
				t.Errorf("%d of 500 absent keys pass", passed)
			}
		}
	}
}

// Parameters out of range panic when the policy is made, not when a table is
// written.
func TestWrongParametersPanic(t *testing.T) {
	for name, make := range map[string]func(){
		"no bits":   func() { FilterPolicy(0) },
		"many bits": func() { FilterPolicy(65) },
		"rate 0":    func() { FilterPolicyForRate(0) },
		"rate 1":    func() { FilterPolicyForRate(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			make()
		}()
	}
}

// raceEnabled says whether the race detector is on.
var raceEnabled bool
