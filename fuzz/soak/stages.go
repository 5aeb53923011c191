package main

import "strconv"

// A stage is tests of a package.
type stage struct {
	name string
	args []string // of go test, but for the time limit
	env  []string
	fuzz bool // it takes as long as it is given
}

// targets are all fuzz targets; a test holds that.
var targets = []struct{ pkg, name string }{
	{"./adapter/goleveldb", "FuzzContains"},
	{"./adapter/pebble", "FuzzMayContain"},
	{"./adapter/redis", "FuzzKeys"},
	{"./adapter/redis", "FuzzRecords"},
	{"./cmd/linebloom/internal/foreign", "FuzzDCSO"},
	{"./cmd/linebloom/internal/foreign", "FuzzPybloom"},
	{"./cmd/linebloom/internal/foreign", "FuzzContainer"},
	{"./fuzz", "FuzzDecodeCounting"},
	{"./fuzz", "FuzzDecode"},
	{"./fuzz", "FuzzKernels"},
	{"./fuzz", "FuzzOperations"},
	{"./scalable", "FuzzDecode"},
}

// stages in the order in which they run. Seeds differ in each round where tests take
// them from chance; the metamorphic test is given its own, so that a failure can be
// repeated.
func stages(round int) []stage {
	list := []stage{
		{name: "random operations on all kinds of filters",
			args: []string{"./fuzz/soak", "-run", "Metamorphic"},
			env:  []string{"LINEBLOOM_OPERATIONS=300000", "LINEBLOOM_SEED=" + strconv.Itoa(round)}},
		{name: "kernels against the specification, false negatives", args: []string{"./asm"}},
		{name: "concurrent use, rates, encodings", args: []string{"./blocked", "./counting", "./scalable", "./window"}},
		{name: "files: kill -9, power cuts, faults, damage", args: []string{"./filterfile"},
			env: []string{"LINEBLOOM_ROUNDS=10"}},
		{name: "Redis: bad networks, losses, failover", args: []string{"./adapter/redis"}},
		{name: "crawlers that are killed", args: []string{"./adapter/colly"}},
		{name: "databases with damaged filters", args: []string{"./adapter/pebble", "./adapter/goleveldb"}},
		{name: "the command", args: []string{"./cmd/linebloom/..."}},
	}
	for _, target := range targets {
		list = append(list, stage{
			name: "fuzzing " + target.pkg + " " + target.name,
			args: []string{target.pkg, "-run", "^$", "-fuzz", "^" + target.name + "$"}, fuzz: true,
		})
	}
	return list
}
