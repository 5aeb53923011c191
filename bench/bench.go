package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"
)

// A bench is one run of the program.
type bench struct {
	out     io.Writer
	dir     string
	quick   bool
	sizes   []int
	chosen  bool // -sizes names the sizes
	rounds  int
	machine machine
	cpus    []int // that goroutines can be pinned to
	stock   stock
	tables  *tables // of rows n and o, or nil
}

// An experiment measures one thing and prints what it finds.
type experiment struct {
	name  string
	about string
	run   func(*bench, *result) error
}

// experiments in the order in which they run. Those of one letter are the
// figures that linebloom promises; the others are for the charts.
var experiments = []experiment{
	{"a", "HasHashes against blobloom, in cache", rowA},
	{"b", "HasHashes against blobloom, 4 MiB", rowB},
	{"c", "HasHashes against blobloom, large", rowC},
	{"d", "HasUint64s against HasHashes", rowD},
	{"e", "HasStrings and HasKeys against hashing alone", rowE},
	{"f", "HasKeys against bits-and-blooms", rowF},
	{"g", "HasHash, one key at a time, against blobloom", rowG},
	{"h", "AddHashes against blobloom", rowH},
	{"i", "AtomicFilter against blobloom's SyncFilter", rowI},
	{"j", "one key against 16 filters", rowJ},
	{"k", "a rate of 0.01 % with k = 12", rowK},
	{"l", "AVX-512 against AVX2 above k = 8", rowL},
	{"m", "building the filters of tables", rowM},
	{"rates", "rates of wrong answers by bits per key", rates},
	{"sizes", "all rivals, all sizes", sizes},
	{"build", "time to build, all rivals, all sizes", build},
	{"n", "one key, one of 1,000 tables", rowN}, // from here on the stock is empty
	{"o", "batches over 1,000 tables", rowO},
	{"lines", "the command against awk, sort and others", lines},
	{"growth", "how the cost of a key grows with the filter", growth},
}

func (b *bench) runAll(only *regexp.Regexp) error {
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return err
	}
	if b.cpus = cpus(); len(b.cpus) > 0 {
		// The last one has the fewest interrupts, as a rule.
		if cpu := slices.Max(b.cpus); pin(cpu) {
			b.machine.PinnedTo = &cpu
			defer runtime.UnlockOSThread()
		}
	}
	b.printMachine()
	began := time.Now()
	var all []result
	for _, e := range experiments {
		if !only.MatchString(e.name) {
			continue
		}
		start := time.Now()
		fmt.Fprintf(b.out, "\n== %s: %s\n\n", e.name, e.about)
		r := result{Machine: b.machine, Experiment: e.name, About: e.about, Rounds: b.rounds}
		if err := e.run(b, &r); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		r.Seconds = round(time.Since(start).Seconds())
		if err := r.write(b.dir); err != nil {
			return err
		}
		all = append(all, r)
	}
	b.printVerdicts(all)
	fmt.Fprintf(b.out, "\n%d s\n", int(time.Since(began).Seconds()))
	return nil
}
