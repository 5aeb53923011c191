package main

import (
	"fmt"
	"strings"
)

// Everything that is printed fits into 80 columns.

func (b *bench) printMachine() {
	m := b.machine
	fmt.Fprintf(b.out, "%s, %d cores, %s/%s, %s\n", m.CPU, m.Cores, m.OS, m.Arch, m.Go)
	fmt.Fprintf(b.out, "kernel %s, the first of %s\n", m.Chosen, strings.Join(m.Kernels, ", "))
	fmt.Fprintf(b.out, "commit %s, medians of %d rounds, rivals on %s pages\n", m.Commit, b.rounds,
		map[bool]string{true: "huge", false: "small"}[m.RivalsHuge])
}

// printSeries prints a line for each of the series. Ratios are to the first.
func (b *bench) printSeries(title string, measurements []measurement) {
	fmt.Fprintf(b.out, "%-41s %8s %8s %9s %8s\n", title, "ns/key", "ratio", "wrong", "allocs")
	for _, m := range measurements {
		wrong, allocs := "", ""
		if m.WrongRate != nil {
			wrong = percent(*m.WrongRate)
		}
		if m.AllocsPerCall != nil {
			allocs = fmt.Sprint(*m.AllocsPerCall)
		}
		fmt.Fprintln(b.out, strings.TrimRight(fmt.Sprintf("  %-39s %8s %8.2f %9s %8s",
			m.Contender, digits(m.NsPerKey), m.Ratio, wrong, allocs), " "))
	}
}

// printVerdicts ends a run.
func (b *bench) printVerdicts(results []result) {
	var verdicts []verdict
	counted, allocating := 0, []string(nil)
	for _, r := range results {
		verdicts = append(verdicts, r.Verdicts...)
		for _, m := range r.Measurements {
			if m.AllocsPerCall == nil {
				continue
			}
			counted++
			if *m.AllocsPerCall > 0 {
				allocating = append(allocating, fmt.Sprintf("%s: %s, %s", r.Experiment, m.Contender, sizeName(m.Bytes)))
			}
		}
	}
	if counted > 0 {
		fmt.Fprintf(b.out, "\nallocations: in %d of %d loops over linebloom's methods\n", len(allocating), counted)
		for _, a := range allocating {
			fmt.Fprintln(b.out, " ", a)
		}
	}
	if len(verdicts) == 0 {
		return
	}
	fmt.Fprintf(b.out, "\n%-3s %-47s %9s %10s\n", "row", "ratio of times", "measured", "promised")
	for _, v := range verdicts {
		measured, sign, end := fmt.Sprintf("%.2f", v.Measured), ">=", "short"
		if v.AtMost {
			sign = "<="
		}
		switch {
		case v.Skipped != "":
			measured, end = "", "skipped"
		case v.OK:
			end = "ok"
		}
		fmt.Fprintf(b.out, "%-3s %-47s %9s  %s %6.2f %s\n", v.Row, v.What, measured, sign, v.Required, end)
	}
}

// digits prints a time with two digits behind the point only where they tell.
func digits(ns float64) string {
	if ns < 10 {
		return fmt.Sprintf("%.2f", ns)
	}
	return fmt.Sprintf("%.1f", ns)
}

func percent(rate float64) string {
	switch {
	case rate == 0:
		return "0 %"
	case rate < 0.001:
		return fmt.Sprintf("%.4f %%", 100*rate)
	}
	return fmt.Sprintf("%.2f %%", 100*rate)
}
