package pebble

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// counting is a table file that counts the reads of its data blocks.
type counting struct {
	objstorage.Readable
	dataEnd   int64 // data blocks come first
	dataReads int
}

func (c *counting) ReadAt(ctx context.Context, p []byte, at int64) error {
	if at < c.dataEnd {
		c.dataReads++
	}
	return c.Readable.ReadAt(ctx, p, at)
}

func (c *counting) NewReadHandle(before objstorage.ReadBeforeSize) objstorage.ReadHandle {
	return &countingHandle{c.Readable.NewReadHandle(before), c}
}

type countingHandle struct {
	objstorage.ReadHandle
	file *counting
}

func (h *countingHandle) ReadAt(ctx context.Context, p []byte, at int64) error {
	if at < h.file.dataEnd {
		h.file.dataReads++
	}
	return h.ReadHandle.ReadAt(ctx, p, at)
}

// writeTable writes keys 0 to n-1, in their order, to a table file.
func writeTable(t *testing.T, path string, n uint64, policy pebble.FilterPolicy) {
	t.Helper()
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = keyOf(nil, uint64(i), true)
	}
	slices.SortFunc(keys, slices.Compare)
	f, err := vfs.Default.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), sstable.WriterOptions{
		TableFormat:  sstable.TableFormatMax,
		FilterPolicy: policy,
	})
	for _, k := range keys {
		if err := w.Set(k, k); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// openTable opens a table file without a cache: what is read is read from it.
func openTable(t *testing.T, path string, policy pebble.FilterPolicy) (*sstable.Reader, *counting, *sstable.FilterMetricsTracker) {
	t.Helper()
	f, err := vfs.Default.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		t.Fatal(err)
	}
	file, figures := &counting{Readable: readable}, new(sstable.FilterMetricsTracker)
	r, err := sstable.NewReader(t.Context(), file, sstable.ReaderOptions{
		Filters:              map[string]pebble.FilterPolicy{policy.Name(): policy},
		FilterMetricsTracker: figures,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	layout, err := r.Layout()
	if err != nil {
		t.Fatal(err)
	}
	last := layout.Data[len(layout.Data)-1]
	file.dataEnd = int64(last.Offset + last.Length)
	return r, file, figures
}

// seek reports whether key is in the table, as Get does.
func seek(t *testing.T, r *sstable.Reader, key []byte) bool {
	t.Helper()
	iter, err := r.NewPointIter(t.Context(), sstable.IterOptions{
		Transforms:           sstable.NoTransforms,
		FilterBlockSizeLimit: sstable.AlwaysUseFilterBlock,
		Env:                  sstable.NoReadEnv,
		ReaderProvider:       sstable.MakeTrivialReaderProvider(r),
		BlobContext:          sstable.AssertNoBlobHandles,
	})
	if err != nil {
		t.Fatal(err)
	}
	kv := iter.SeekPrefixGE(key, key, 0)
	found := kv != nil && slices.Equal(kv.K.UserKey, key)
	if err := iter.Close(); err != nil {
		t.Fatal(err)
	}
	return found
}

// A table file without a database: an absent key that the filter rejects reads no
// data block, any other key reads one.
func TestTablesAnswerAbsentKeysWithoutReadingData(t *testing.T) {
	const n, asked = 20_000, 5_000
	policy := FilterPolicy(10)
	path := filepath.Join(t.TempDir(), "table")
	writeTable(t, path, n, policy)
	r, file, figures := openTable(t, path, policy)

	file.dataReads = 0
	for i := range uint64(asked) {
		if !seek(t, r, keyOf(nil, i, true)) {
			t.Fatalf("key %d is lost", i)
		}
	}
	if file.dataReads < asked {
		t.Fatalf("%d data reads for %d present keys: they are not counted", file.dataReads, asked)
	}

	file.dataReads = 0
	before := figures.Load()
	for i := range uint64(asked) {
		reads, hits := file.dataReads, figures.Load().Hits
		if seek(t, r, keyOf(nil, i, false)) {
			t.Fatalf("absent key %d is found", i)
		}
		if figures.Load().Hits > hits && file.dataReads > reads {
			t.Fatalf("absent key %d: data was read though the filter had rejected it", i)
		}
	}
	passed := figures.Load().Misses - before.Misses
	t.Logf("%d absent keys: %d passed the filter, %d reads of data", asked, passed, file.dataReads)
	if float64(passed) > asked*(1.05*ideal(10)+4*sigma(ideal(10), asked)) {
		t.Errorf("%d of %d absent keys passed the filter", passed, asked)
	}
	if int64(file.dataReads) > 2*passed {
		t.Errorf("%d reads of data for %d keys that passed the filter", file.dataReads, passed)
	}
}
