package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/linebloom/linebloom/asm"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	b := bench{out: out}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.BoolVar(&b.quick, "quick", false, "fewer rounds, and sizes up to 64 MiB: under 3 minutes")
	large := flags.Bool("large", false, "also filters of 1 GiB and 2 GiB, which takes 20 GiB of memory")
	flags.StringVar(&b.dir, "out", "docs/bench", "`directory` for the numbers and charts")
	sizes := flags.String("sizes", "", "sizes of filters, such as `16KiB,4MiB`, instead of the usual ones")
	flags.IntVar(&b.rounds, "rounds", 0, "rounds of each comparison (21, with -quick 7)")
	smallPages := flags.Bool("smallpages", false, "leave rivals the pages that they get by themselves")
	guarded := flags.Bool("guard", false, "measure only that kernels are used where they should be, and fail if not")
	only := flags.String("only", "", "run only experiments whose name contains a match of `regexp`")
	flags.Usage = func() {
		fmt.Fprintln(out, "usage: go run ./bench [flags]")
		flags.PrintDefaults()
		fmt.Fprintln(out, "experiments:")
		for _, e := range experiments {
			fmt.Fprintf(out, "  %-6s %s\n", e.name, e.about)
		}
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *guarded {
		return newGuard(out).check(asm.Chosen(), os.Getenv("LINEBLOOM_KERNEL"))
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if b.sizes, err = sizesFor(*sizes, b.quick, *large); err != nil {
		return fmt.Errorf("-sizes: %w", err)
	}
	switch {
	case b.rounds > 0:
	case b.quick:
		b.rounds = 7
	default:
		b.rounds = 21
	}
	b.chosen = *sizes != ""
	heapAdvised = !*smallPages
	b.machine = describe(strings.TrimSpace("go run ./bench " + strings.Join(args, " ")))
	b.machine.RivalsHuge = heapAdvised && runtime.GOOS == "linux" && b.machine.HugePages == "madvise" || b.machine.HugePages == "always"
	return b.runAll(pattern)
}

// sizesFor returns the sizes of filters in bytes, ascending.
func sizesFor(list string, quick, large bool) ([]int, error) {
	if list != "" {
		return parseSizes(list)
	}
	sizes := []int{16 << 10, 256 << 10, 4 << 20, 64 << 20}
	if !quick {
		sizes = append(sizes, 512<<20)
	}
	if large {
		sizes = append(sizes, 1<<30)
		if two := uint64(2 << 30); two <= uint64(maxInt) {
			sizes = append(sizes, int(two))
		}
	}
	return sizes, nil
}

const maxInt = int(^uint(0) >> 1)
