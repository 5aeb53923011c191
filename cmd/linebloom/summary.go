package main

import (
	"fmt"
	"math"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// addOutputFlags adds the flags of commands that make a file.
func addOutputFlags(cmd *cobra.Command, path *string, force *bool) {
	flags := cmd.Flags()
	flags.StringVarP(path, "output", "o", "", "the file to make")
	flags.BoolVar(force, "force", false, "replace the file if it exists")
	cmd.MarkFlagFilename("output")
}

// summary says in a few words what a filter is that holds at most most keys.
func summary(f sized, most uint64) string {
	keys := "full"
	if n := f.EstimateCount(); !math.IsInf(n, 0) {
		keys = "about " + thousands(min(uint64(n+0.5), most)) + " keys"
	}
	return fmt.Sprintf("%s, %s", keys, sizeAndRate(f.Filter))
}

func sizeAndRate(f *blocked.Filter) string {
	return fmt.Sprintf("%s bytes, expected rate %.3g", thousands(f.Params().Bytes()), f.EstimateFPRate())
}

// warnOverfull tells if a filter certainly holds more keys than it was made for.
// It has at most most of them.
func warnOverfull(std streams, path string, f sized, most uint64) {
	// The estimate has a standard error of 4 % over the root of the blocks.
	limit := float64(f.capacity) * (1 + 5*0.04/math.Sqrt(float64(f.Params().Blocks)))
	if f.capacity == 0 || most <= f.capacity || f.EstimateCount() <= limit {
		return
	}
	complain(std, fmt.Errorf("%s holds more keys than the %s it was made for, at a rate of %.3g",
		path, thousands(f.capacity), f.EstimateFPRate()))
}
