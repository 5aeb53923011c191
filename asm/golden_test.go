package asm

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/linebloom/linebloom/generic"
	"github.com/linebloom/linebloom/internal/golden"
)

func TestGoldenVectorsOfEveryKernel(t *testing.T) {
	for _, kernel := range Kernels() {
		for name, add := range map[string]func(generic.Table, []uint64){
			"AddHashes":      kernel.AddHashes,
			"AddHashesAhead": kernel.AddHashesAhead,
			"one by one": func(t generic.Table, hashes []uint64) {
				for _, h := range hashes {
					kernel.AddHashes(t, []uint64{h})
				}
			},
			"generic.Add": func(t generic.Table, hashes []uint64) {
				for _, h := range hashes {
					generic.Add(t, h)
				}
			},
		} {
			for _, v := range golden.Vectors {
				data := make([]byte, v.Blocks*generic.BlockBytes)
				add(generic.NewTable(data, v.K), v.Hashes())
				sum := sha256.Sum256(data)
				if got := hex.EncodeToString(sum[:]); got != v.SHA256 {
					t.Errorf("%s, %s, %d blocks, k = %d: SHA-256 %s, want %s", kernel.Name, name, v.Blocks, v.K, got, v.SHA256)
				}
			}
		}
	}
}
