// Package pebble puts linebloom's filters into Pebble's tables:
//
//	opts.Levels[i].FilterPolicy = pebble.FilterPolicy(10)
//
// Every table then has a filter block with a blocked filter of its keys, in the
// compact form of docs/FORMAT.md, which says of itself how large it is: tables of
// different policies of this package can be mixed. To go on reading tables that
// were written with another policy, or to let them be written anew by and by,
// name that policy in Options.Filters.
//
// Pebble checks the checksum of a filter block when it reads it from disk. What
// it then hands to the policy is probed where it lies. Bytes that are not a
// filter of this package answer maybe.
package pebble

import (
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/linebloom/linebloom/blocked"
)

// Name is the name of the policies, which tables record. Tables of all
// parameters have it, since the filters carry theirs.
const Name = "linebloom.Blocked"

// policy makes filters with builders of one kind and reads all kinds.
type policy struct {
	builders *sync.Pool // of *blocked.Builder
}

// FilterPolicy returns a policy with the given number of bits per key, 1 to 64
// and not necessarily whole. 10 give a false positive rate of about 1 %, 16 of
// 0.1 %, 22 of 0.01 %. Numbers out of range panic.
func FilterPolicy(bitsPerKey float64, opts ...blocked.Option) pebble.FilterPolicy {
	return newPolicy(func() (*blocked.Builder, error) { return blocked.NewBuilderForBits(bitsPerKey, opts...) })
}

// FilterPolicyForRate returns a policy whose tables have the given false positive
// rate, at least blocked.MinFPRate and below 1. Rates out of range panic.
func FilterPolicyForRate(fpRate float64, opts ...blocked.Option) pebble.FilterPolicy {
	return newPolicy(func() (*blocked.Builder, error) { return blocked.NewBuilder(fpRate, opts...) })
}

func newPolicy(newBuilder func() (*blocked.Builder, error)) pebble.FilterPolicy {
	b, err := newBuilder()
	if err != nil {
		panic(err)
	}
	p := policy{&sync.Pool{New: func() any {
		b, _ := newBuilder() // it worked before
		return b
	}}}
	p.builders.Put(b)
	return p
}

// Name returns Name.
func (policy) Name() string { return Name }

// MayContain reports whether the table may contain key. Bytes that are not a
// filter of this package may contain everything.
func (policy) MayContain(_ pebble.FilterType, filter, key []byte) bool {
	v, err := blocked.CompactView(filter)
	return err != nil || v.Has(key)
}

// NewWriter returns a writer of filter blocks.
func (p policy) NewWriter(t pebble.FilterType) pebble.FilterWriter {
	if t != pebble.TableFilter {
		panic(fmt.Sprintf("linebloom: filters of type %v, want those of tables", t))
	}
	return &writer{policy: p}
}

// writer collects the hashes of a table's keys. Its builder goes back to the pool
// with its memory, since Pebble makes a writer for every table.
type writer struct {
	policy  policy
	builder *blocked.Builder
}

// AddKey adds a key. Versions of a key, which follow each other, count once.
func (w *writer) AddKey(key []byte) {
	if w.builder == nil {
		w.builder = w.policy.builders.Get().(*blocked.Builder)
	}
	// Add of the builder, written out: the compiler then calls only the hash.
	w.builder.AddHash(blocked.HashKey(w.builder.Seed(), key))
}

// Finish appends the filter of the keys to dst. If they are too many for one it
// appends nothing, which answers maybe.
func (w *writer) Finish(dst []byte) []byte {
	if w.builder == nil {
		w.builder = w.policy.builders.Get().(*blocked.Builder)
	}
	dst, err := w.builder.AppendCompact(dst)
	if err != nil {
		w.builder.Reset()
	}
	w.policy.builders.Put(w.builder)
	w.builder = nil
	return dst
}
