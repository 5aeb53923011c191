package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// calculation is a run of the calc command.
type calculation struct {
	question
	mem    uint64 // bytes
	table  bool
	plot   string
	asJSON bool
}

// answers are the designs side by side.
type answers struct {
	Classic design  `json:"classic"`
	Blocked *design `json:"linebloom"` // nil: there is none
	Why     string  `json:"why_not,omitempty"`
}

func newCalc(std streams) *cobra.Command {
	var c calculation
	cmd := &cobra.Command{
		Use:   "calc",
		Short: "Compute keys, memory, probes or rate of a filter from the others",
		Long: `Calc computes what is left out of the number of keys n, the memory m, the probes
per key k and the false positive rate p: name two of n, m and p, or p alone for
the bits per key. Without k the best one is taken.

It gives the answer for a classic filter, with k bits anywhere in m and the rate
(1 - e^(-kn/m))^k, and for this library, which keeps all bits of a key in one
cache line, needs some more memory for it, and computes its rate exactly.

Numbers of keys have decimal units (10M, 1.5k), memory has both kinds (64MiB,
1GB; a letter alone is a power of 1024), and rates are written 0.001, 1e-3,
0.1%, 1/1000 or '1 in 1k'.

--table prints the classic table of rates for 22 to 32 bits per key and k from
17 to 24, and what this library has for the same memory. --plot draws the rates
of both by bits per key, and the answer, if something was asked, as SVG.`,
		Example: `  linebloom calc -n 10M -p 0.1%
  linebloom calc -n 10M --mem 16MiB
  linebloom calc --mem 64MiB --rate '1 in 1M'
  linebloom calc -p 1e-4 -k 8
  linebloom calc --table
  linebloom calc -n 1G -p 1e-3 --json | jq .linebloom.bytes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(cmd); err != nil {
				return err
			}
			return c.run(std)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(countFlag(&c.keys, 0), "capacity", "n", "number of distinct keys")
	flags.VarP(rateFlag(&c.rate, 0), "rate", "p", "false positive rate")
	flags.Var(bytesFlag(&c.mem, 0), "mem", "memory")
	flags.VarP(countFlag(&c.bits, 0), "bits", "m", "memory as a number of bits, instead of --mem")
	flags.IntVarP(&c.k, "probes", "k", 0, "bits that a key sets (default: the best number)")
	flags.BoolVar(&c.table, "table", false, "print the table of classic rates")
	flags.StringVar(&c.plot, "plot", "", "draw rates into an SVG `FILE`")
	flags.BoolVar(&c.asJSON, "json", false, "print JSON")
	cmd.MarkFlagFilename("plot", "svg")
	return cmd
}

// check refuses what does not fit together.
func (c *calculation) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if changed("mem") && changed("bits") {
		return errors.New("--mem and --bits are the same; use one of them")
	}
	if changed("mem") {
		if c.mem > math.MaxUint64/8 {
			return fmt.Errorf("--mem is %d bytes; that is too much", c.mem)
		}
		c.bits = 8 * c.mem
	}
	for _, flag := range []struct {
		name string
		zero bool
	}{{"capacity", c.keys == 0}, {"rate", c.rate == 0}, {"mem", c.bits == 0}, {"bits", c.bits == 0}, {"probes", c.k == 0}} {
		if flag.zero && changed(flag.name) {
			return fmt.Errorf("--%s is 0; leave it out to have it computed", flag.name)
		}
	}
	if err := checkPlotName(c.plot); err != nil {
		return err
	}
	asked := c.question != question{}
	if c.table && asked {
		return errors.New("--table has keys, memory and probes of its own; leave the others out")
	}
	if c.table || c.plot != "" && !asked {
		return nil
	}
	return c.question.check()
}

func (c *calculation) run(std streams) error {
	var a *answers
	if c.question != (question{}) {
		answered := c.answer()
		a = &answered
	}
	if c.plot != "" {
		if err := plotRates(c.plot, a); err != nil {
			return err
		}
	}
	var err error
	switch {
	case c.table && c.asJSON:
		err = printJSON(std.out, newTable())
	case c.table:
		err = newTable().print(std.out)
	case a != nil && c.asJSON:
		err = printJSON(std.out, a)
	case a != nil:
		err = a.print(std.out)
	}
	if err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

func (q question) answer() answers {
	a := answers{Classic: q.classic()}
	if d, err := q.blocked(); err != nil {
		a.Why = strings.TrimPrefix(plain(err), blocked.ErrInvalid.Error()+": ")
	} else {
		a.Blocked = &d
	}
	return a
}

func (a answers) print(w io.Writer) error {
	ours := func(text func(design) string) string {
		if a.Blocked == nil {
			return "-"
		}
		return text(*a.Blocked)
	}
	text := fmt.Sprintf("%-14s  %-30s  %s\n", "", "classic filter", "linebloom")
	for _, row := range []struct {
		name string
		text func(design) string
	}{
		{"keys, n", func(d design) string { return knownOr(d.Keys, "any", thousands) }},
		{"bits, m", func(d design) string { return knownOr(d.Bits, "any", thousands) }},
		{"memory", func(d design) string { return knownOr(d.Bytes, "any", sizeText) }},
		{"bits per key", func(d design) string { return fmt.Sprintf("%.2f", d.BitsPerKey) }},
		{"probes, k", func(d design) string { return fmt.Sprint(d.K) }},
		{"rate, p", func(d design) string { return fmt.Sprintf("%.4g (%s)", d.Rate, oneIn(d.Rate)) }},
	} {
		text += fmt.Sprintf("%-14s  %-30s  %s\n", row.name, row.text(a.Classic), ours(row.text))
	}
	if a.Blocked == nil {
		text += "\nThis library has no such filter:\n" + a.Why + ".\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
