package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/linebloom/linebloom/cmd/linebloom/internal/foreign"
)

// foreignInfo is what there is to say of a filter of another program. Its names
// are those of info where it says the same.
type foreignInfo struct {
	File           string   `json:"file"`
	FileBytes      uint64   `json:"file_bytes"`
	Format         string   `json:"format"`
	Hash           *string  `json:"hash"`
	Bits           uint64   `json:"bits"`
	FilterBytes    uint64   `json:"filter_bytes"`
	K              int      `json:"k"`
	Capacity       *uint64  `json:"capacity"`
	BitsPerKey     *float64 `json:"bits_per_key"`
	TargetRate     float64  `json:"target_rate"`
	PredictedRate  *float64 `json:"predicted_rate"`
	CurrentRate    float64  `json:"current_rate"`
	FillRatio      float64  `json:"fill_ratio"`
	EstimatedCount *uint64  `json:"estimated_count"`
	Count          *uint64  `json:"count"`
	DataBytes      uint64   `json:"data_bytes"`
}

// printForeignInfo describes a filter of another program. unknown is the error if
// it is none.
func printForeignInfo(std streams, path string, unknown error, asJSON bool, hash, plot string) error {
	f, err := readForeign(path, unknown)
	if err == nil && hash != "" {
		err = f.SetHash(hash)
	}
	if err == nil && plot != "" {
		err = fmt.Errorf("%s is a classic filter, without blocks that could be drawn", path)
	}
	if err != nil {
		return err
	}
	return foreignInfoOf(path, f).write(std, asJSON)
}

func foreignInfoOf(path string, f *foreign.Filter) foreignInfo {
	i := foreignInfo{
		File: path, Format: f.Format, Bits: f.Bits, FilterBytes: (f.Bits + 7) / 8, K: f.K,
		TargetRate: f.FPRate, CurrentRate: f.EstimateFPRate(), FillRatio: f.FillRatio(), DataBytes: f.Data,
	}
	if stat, err := os.Stat(path); err == nil {
		i.FileBytes = uint64(stat.Size())
	}
	if hash := f.Hash(); hash != "" {
		i.Hash = &hash
	}
	if f.Capacity > 0 {
		bits, rate := float64(f.Bits)/float64(f.Capacity), f.PredictedFPRate(f.Capacity)
		i.Capacity, i.BitsPerKey, i.PredictedRate = &f.Capacity, &bits, &rate
	}
	if n := f.EstimateCount(); !math.IsInf(n, 0) {
		rounded := uint64(n + 0.5)
		i.EstimatedCount = &rounded
	}
	if f.Count > 0 {
		i.Count = &f.Count
	}
	return i
}

// write prints the facts as text or JSON.
func (i foreignInfo) write(std streams, asJSON bool) error {
	var err error
	if asJSON {
		err = printJSON(std.out, i)
	} else {
		err = i.print(std.out)
	}
	if err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

func (i foreignInfo) print(w io.Writer) error {
	about := map[string]string{
		foreign.DCSO:    "of DCSO's bloom, a classic filter",
		foreign.Pybloom: "of pybloomfiltermmap, a classic filter",
	}
	_, err := fmt.Fprintf(w, `file            %s
format          %s, %s
size            %s bytes
data            %s bytes of its user
bits            %s, %s bytes
k               %d
hash            %s
capacity        %s
bits per key    %s
target rate     %.4g
predicted rate  %s
current rate    %.4g
fill ratio      %.4g
estimated       %s
counted         %s
`,
		i.File, i.Format, about[i.Format], thousands(i.FileBytes), thousands(i.DataBytes),
		thousands(i.Bits), thousands(i.FilterBytes), i.K,
		knownOr(i.Hash, "not known; linebloom import --probe WORD finds it", strings.Clone),
		known(i.Capacity, thousands),
		known(i.BitsPerKey, func(b float64) string { return fmt.Sprintf("%.2f at capacity", b) }),
		i.TargetRate,
		known(i.PredictedRate, func(p float64) string { return shortRate(p) + " at capacity" }),
		i.CurrentRate, i.FillRatio,
		known(i.EstimatedCount, func(n uint64) string { return "about " + thousands(n) }),
		known(i.Count, thousands))
	return err
}
