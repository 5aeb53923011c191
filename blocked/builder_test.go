package blocked

import "testing"

func TestBuilderSizesForTheTrueCount(t *testing.T) {
	for _, n := range []int{0, 1, 10, 1000, 50_000} {
		b, err := NewBuilder(0.01, WithSeed(5))
		if err != nil {
			t.Fatal(err)
		}
		for round := range 2 { // a builder can be used again
			for i := range n {
				b.AddUint64(uint64(i))
				b.AddUint64(uint64(i)) // dropped
			}
			if b.Len() != n {
				t.Fatalf("Len is %d after %d keys", b.Len(), n)
			}
			f, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			want, err := New(uint64(max(n, 1)), 0.01, WithSeed(5))
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				want.AddUint64(uint64(i))
			}
			if !f.Equal(want) || f.Capacity() != uint64(n) || b.Len() != 0 {
				t.Errorf("round %d, %d keys: %v, capacity %d, not the filter that New gives", round, n, f.Params(), f.Capacity())
			}
		}
	}
}

func TestBuilderTakesEveryKindOfKey(t *testing.T) {
	keys := []string{"a", "b", "c", "d", "e", "eightbyt", "g", "h"}
	b, err := NewBuilder(1e-6)
	if err != nil {
		t.Fatal(err)
	}
	b.Add([]byte("a"))
	b.AddString("b")
	b.AddHash(HashKey(0, []byte("c")))
	b.AddKeys([][]byte{[]byte("d")})
	b.AddStrings([]string{"e"})
	b.AddUint64(0x7479627468676965) // "eightbyt"
	b.AddUint64s([]uint64{0x7479627468676965})
	b.AddHashes([]uint64{HashString(0, "g"), HashString(0, "h")})
	f, err := b.Finish()
	if err != nil || f.Capacity() != 8 {
		t.Fatalf("capacity %d, %v", f.Capacity(), err)
	}
	for _, key := range keys {
		if !f.HasString(key) {
			t.Errorf("%q is lost", key)
		}
	}
}

func TestBuilderKeepsItsKeysWhenTheFilterIsTooLarge(t *testing.T) {
	b, err := NewBuilder(0.01, WithMaxBytes(128))
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(1000) {
		b.AddUint64(i)
	}
	_, err = b.Finish()
	wantErr(t, "Finish", err, ErrTooLarge, "the maximum is 128")
	if b.Len() != 1000 {
		t.Errorf("%d keys are left, want 1000", b.Len())
	}
	b.Reset()
	b.AddUint64(1)
	if f, err := b.Finish(); err != nil || !f.HasUint64(1) {
		t.Errorf("after Reset: %v", err)
	}
}
