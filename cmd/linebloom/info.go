package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// info is what there is to say of a filter file. A nil number is not known.
type info struct {
	File           string   `json:"file"`
	FileBytes      uint64   `json:"file_bytes"`
	InUse          bool     `json:"in_use"`
	Damage         string   `json:"damage,omitempty"`
	Blocks         uint64   `json:"blocks"`
	FilterBytes    uint64   `json:"filter_bytes"`
	K              int      `json:"k"`
	Seed           string   `json:"seed"` // as text: many readers of JSON round numbers
	Capacity       *uint64  `json:"capacity"`
	BitsPerKey     *float64 `json:"bits_per_key"`
	TargetRate     *float64 `json:"target_rate"`
	PredictedRate  *float64 `json:"predicted_rate"`
	CurrentRate    float64  `json:"current_rate"`
	FillRatio      float64  `json:"fill_ratio"`
	EstimatedCount *uint64  `json:"estimated_count"`
	Count          *uint64  `json:"count"`
	CountState     string   `json:"count_state"`
	MetadataBytes  int      `json:"metadata_bytes"`
	Kernel         string   `json:"kernel"`

	// Of the bits per block: their variance by that of random keys, the standard
	// error of it, and what it means.
	VarianceRatio *float64 `json:"block_variance_ratio"`
	VarianceError *float64 `json:"block_variance_error"`
	BlockVerdict  string   `json:"block_verdict,omitempty"`
	evenness      *evenness
}

func newInfo(std streams) *cobra.Command {
	var (
		asJSON     bool
		hash, plot string
	)
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Describe a filter file",
		Long: `Info prints the geometry of the filter in FILE, what it was made for and how
full it is, and the kernel that this machine asks it with.

  predicted rate  of false positives once it holds as many keys as its capacity
  current rate    as it is filled now
  estimated       number of keys by the bits that are set; too high after
                  merge --and
  counted         number of keys by those who added them, if they did: exact, an
                  estimate, or, after merge --and, indeterminate
  blocks filled   how much blocks differ in the number of bits that are set, as
                  its variance by that of random keys: about 1, unless the hash
                  is bad or an intersection was made

It reads and verifies all of FILE, and takes one that others add to as it is. It
exits with 0, 1 if FILE is damaged and 2 on an error. The rate and fill of a
damaged one are those that check --degraded sees.

Filters of other programs and what import makes of them are described too.

With --json it prints an object with the same facts: bytes, numbers and rates,
the seed as text, and null for what is not known. --plot draws how many blocks
have how many bits set, against random keys, as many as there are and as many as
the filter was made for, as SVG.`,
		Example: `  linebloom info seen.lbf
  linebloom info --json seen.lbf | jq .current_rate
  linebloom info --plot fill.svg seen.lbf`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one filter file")
			}
			if err := checkPlotName(plot); err != nil {
				return err
			}
			return printInfo(std, args[0], asJSON, hash, plot)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	flags.StringVar(&plot, "plot", "", "draw how full the blocks are into an SVG `FILE`")
	addHashFlag(cmd, &hash)
	cmd.MarkFlagFilename("plot", "svg")
	return cmd
}

func printInfo(std streams, path string, asJSON bool, hash, plot string) error {
	// Degraded files are opened so that they can be built again as they were.
	f, err := openFilter(path, filterfile.Options{InUse: true, Degraded: true})
	if errors.Is(err, errNotFilter) {
		return printForeignInfo(std, path, err, asJSON, hash, plot)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	fill := fillOf(f.View())
	i := infoOf(path, f, fill)
	if plot != "" {
		blocks := float64(i.Blocks)
		load := f.EstimateCount() / blocks
		if i.EstimatedCount == nil {
			return fmt.Errorf("%s is full: all bits of all blocks are set, there is nothing to draw", path)
		}
		if err := plotFill(plot, path, fill, i.K, load, float64(f.Capacity())/blocks); err != nil {
			return err
		}
	}
	if asJSON {
		err = printJSON(std.out, i)
	} else {
		err = i.print(std.out)
	}
	if err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if i.Damage != "" {
		complain(std, errors.New(path+": "+i.Damage))
		return exitCode(exitNone)
	}
	return nil
}

func infoOf(path string, f *filterfile.File, fill *blockFill) info {
	h := f.Header()
	i := info{
		File: path, FileBytes: h.Size, InUse: h.InUse,
		Blocks: h.Blocks, FilterBytes: h.Params.Bytes(), K: h.K, Seed: fmt.Sprintf("%#x", h.Seed),
		CurrentRate: f.EstimateFPRate(), FillRatio: f.FillRatio(),
		CountState: h.CountState.String(), MetadataBytes: len(h.Metadata), Kernel: asm.Chosen(),
	}
	if err := f.Err(); err != nil {
		i.Damage = plain(err)
	}
	if h.Capacity > 0 {
		bits, rate := 8*float64(i.FilterBytes)/float64(h.Capacity), h.Params.FPRate(h.Capacity)
		i.Capacity, i.BitsPerKey, i.PredictedRate = &h.Capacity, &bits, &rate
	}
	if h.FPRate > 0 {
		i.TargetRate = &h.FPRate
	}
	n := f.EstimateCount()
	if !math.IsInf(n, 0) {
		rounded := uint64(n + 0.5)
		i.EstimatedCount = &rounded
	}
	if i.Damage == "" { // what is damaged counts as full
		i.evenness = evennessOf(fill, i.K, n/float64(i.Blocks))
	}
	if e := i.evenness; e != nil {
		i.VarianceRatio, i.VarianceError, i.BlockVerdict = &e.ratio, &e.err, e.verdict()
	}
	if h.CountState != blocked.Indeterminate {
		i.Count = &h.Count
	}
	return i
}

func (i info) print(w io.Writer) error {
	state := "closed"
	if i.InUse {
		state = "open for adding, or not closed by who added"
	}
	if i.Damage != "" {
		state = "damaged"
	}
	_, err := fmt.Fprintf(w, `file            %s
state           %s
size            %s bytes
metadata        %s bytes
blocks          %s of 64 bytes, %s bytes
k               %d
seed            %s
capacity        %s
bits per key    %s
target rate     %s
predicted rate  %s
current rate    %.4g
fill ratio      %.4g
estimated       %s
counted         %s
blocks filled   %s
kernel          %s
`,
		i.File, state, thousands(i.FileBytes), thousands(i.MetadataBytes),
		thousands(i.Blocks), thousands(i.FilterBytes), i.K, i.Seed,
		known(i.Capacity, thousands),
		known(i.BitsPerKey, func(b float64) string { return fmt.Sprintf("%.2f at capacity", b) }),
		known(i.TargetRate, shortRate),
		known(i.PredictedRate, func(p float64) string { return shortRate(p) + " at capacity" }),
		i.CurrentRate, i.FillRatio,
		known(i.EstimatedCount, func(n uint64) string { return "about " + thousands(n) }),
		known(i.Count, func(n uint64) string { return thousands(n) + ", " + i.CountState }),
		knownOr(i.evenness, "not known, there are too few blocks, or no keys", evenness.String),
		i.Kernel)
	return err
}

func shortRate(p float64) string { return fmt.Sprintf("%.4g", p) }

// known returns the text of a number, if it is known.
func known[T any](n *T, text func(T) string) string { return knownOr(n, "not known", text) }

func knownOr[T any](n *T, unknown string, text func(T) string) string {
	if n == nil {
		return unknown
	}
	return text(*n)
}
