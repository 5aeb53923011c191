package blocked

// A Builder collects keys whose number is not known yet, as their hashes, and
// makes a Filter of the right size. It is what the writer of an SSTable needs.
// It holds 8 bytes per key. It is for one goroutine at a time.
type Builder struct {
	fpRate float64
	config config
	hashes []uint64
}

// NewBuilder returns a builder of filters with the given false positive rate,
// which is as in New. WithMaxBytes bounds the filter, not the builder.
func NewBuilder(fpRate float64, opts ...Option) (*Builder, error) {
	c, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	if err := checkRate(fpRate); err != nil {
		return nil, err
	}
	return &Builder{fpRate: fpRate, config: c}, nil
}

// Add adds key. A key that equals the one before it is dropped, so that the
// versions of a key in sorted order count once; other repetitions make the
// filter larger than it need be.
func (b *Builder) Add(key []byte) {
	b.AddHash(HashKey(b.config.seed, key))
}

// AddString is Add of the bytes of s.
func (b *Builder) AddString(s string) {
	b.AddHash(HashString(b.config.seed, s))
}

// AddUint64 is Add of the eight little-endian bytes of x.
func (b *Builder) AddUint64(x uint64) {
	b.AddHash(HashUint64(b.config.seed, x))
}

// AddHash is Add of the key whose HashKey, with the seed of the options, is h.
func (b *Builder) AddHash(h uint64) {
	if n := len(b.hashes); n == 0 || b.hashes[n-1] != h {
		b.hashes = append(b.hashes, h)
	}
}

// AddHashes adds a batch of keys, given by their hashes.
func (b *Builder) AddHashes(hashes []uint64) {
	for _, h := range hashes {
		b.AddHash(h)
	}
}

// AddKeys adds a batch of keys.
func (b *Builder) AddKeys(batch [][]byte) {
	for _, key := range batch {
		b.Add(key)
	}
}

// AddStrings adds a batch of keys.
func (b *Builder) AddStrings(batch []string) {
	for _, s := range batch {
		b.AddString(s)
	}
}

// AddUint64s adds a batch of keys.
func (b *Builder) AddUint64s(batch []uint64) {
	for _, x := range batch {
		b.AddUint64(x)
	}
}

// Len returns the number of keys that the filter will be sized for.
func (b *Builder) Len() int {
	return len(b.hashes)
}

// Reset forgets all keys and keeps the memory.
func (b *Builder) Reset() {
	b.hashes = b.hashes[:0]
}

// Finish returns a filter of the keys, whose Capacity is their number, and
// resets the builder. Without keys the filter is an empty block. A filter larger
// than WithMaxBytes gives ErrTooLarge, and the builder keeps its keys.
func (b *Builder) Finish() (*Filter, error) {
	p, err := paramsFor(uint64(max(b.Len(), 1)), b.fpRate, b.config)
	if err != nil {
		return nil, err
	}
	f, err := NewFromParams(p)
	if err != nil {
		return nil, err
	}
	f.capacity = uint64(b.Len())
	f.AddHashes(b.hashes)
	b.Reset()
	return f, nil
}
