package fuzz

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/generic"
)

// FuzzKernels holds every kernel of this CPU to package generic: same bits, same
// answers, same hashes. The first bytes choose k, the blocks and the alignment;
// the others are hashes, of which a part is added first, and the bits that the
// filter starts with.
func FuzzKernels(f *testing.F) {
	f.Add([]byte{5, 3, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	f.Add(append([]byte{15, 0, 0, 1}, bytes.Repeat([]byte{0xff}, 8*130)...))
	f.Add(append([]byte{7, 31, 7, 0}, bytes.Repeat([]byte{1, 0, 0x80}, 8*70)...))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < 4 {
			return
		}
		k, blocks, shift, density := 1+int(in[0]%16), 1+int(in[1]%64), int(in[2]%65), int(in[3]%4)
		var hashes []uint64
		for body := in[4:]; len(body) >= 8 && len(hashes) < 1500; body = body[8:] {
			hashes = append(hashes, binary.LittleEndian.Uint64(body))
		}
		data := make([]byte, shift+blocks*generic.BlockBytes)[shift:]
		for i := range data {
			if density > 0 && len(in) > 4 {
				data[i] = in[i%len(in)] | in[(i*density+1)%len(in)]
			}
		}
		table := generic.NewTable(data, k)
		generic.AddHashes(table, hashes[:len(hashes)/2])

		answers := make([]uint64, generic.Words(len(hashes)))
		generic.HasHashes(answers, table, hashes)
		added := bytes.Clone(data)
		generic.AddHashes(generic.NewTable(added, k), hashes)
		hashed := make([]uint64, len(hashes))
		generic.HashUint64s(hashed, uint64(in[3])<<56|uint64(len(in)), hashes)

		for _, kernel := range asm.Kernels() {
			for _, has := range []func([]uint64, generic.Table, []uint64){kernel.HasHashes, kernel.HasHashesAhead} {
				got := make([]uint64, len(answers))
				has(got, table, hashes)
				if !slices.Equal(got, answers) {
					t.Fatalf("%s, k = %d, %d blocks: answers %#x, want %#x", kernel.Name, k, blocks, got, answers)
				}
			}
			for i, h := range hashes {
				if got, want := kernel.Has(table, h), answers[i/64]>>(i%64)&1 == 1; got != want {
					t.Fatalf("%s, k = %d, %d blocks: %#x is %v, want %v", kernel.Name, k, blocks, h, got, want)
				}
			}
			for _, add := range []func(generic.Table, []uint64){kernel.AddHashes, kernel.AddHashesAhead} {
				got := make([]byte, shift+len(data))[shift:]
				copy(got, data)
				add(generic.NewTable(got, k), hashes)
				if !bytes.Equal(got, added) {
					t.Fatalf("%s, k = %d, %d blocks: other bits than generic", kernel.Name, k, blocks)
				}
			}
			got := make([]uint64, len(hashes))
			kernel.HashUint64s(got, uint64(in[3])<<56|uint64(len(in)), hashes)
			if !slices.Equal(got, hashed) {
				t.Fatalf("%s: other hashes than generic", kernel.Name)
			}
		}
	})
}
