// Command username is the page where users sign up and each keystroke asks whether
// a name is free. A filter of the taken names answers no at once; only where it says
// maybe is the store asked, a bbolt file.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

func main() {
	taken := flag.Int("taken", 100_000, "names that are taken")
	asked := flag.Int("asked", 1_000_000, "names that are asked for")
	rate := flag.Float64("rate", 0.01, "false positive rate of the filter")
	flag.Parse()
	dir, err := os.MkdirTemp("", "username")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(os.Stdout, dir, *taken, *asked, *rate); err != nil {
		log.Fatal(err)
	}
}

// name returns a name for each number: even ones will be taken, odd ones free.
func name(i int) string {
	first := [...]string{"ada", "bjarne", "carl", "dana", "edsger", "frances", "grace"}
	return fmt.Sprintf("%s%d", first[i%len(first)], i/len(first))
}

// wanted returns the number of a random name; about one in ten is taken.
func wanted(r *rand.Rand, taken int) int {
	if r.IntN(10) == 0 {
		return 2 * r.IntN(taken)
	}
	return 2*r.IntN(1<<30) + 1
}

func run(out io.Writer, dir string, taken, asked int, rate float64) error {
	if taken < 1 || asked < 1 {
		return fmt.Errorf("%d names taken and %d asked, want 1 or more", taken, asked)
	}
	path := filepath.Join(dir, "names.db")
	reg, err := Open(path, uint64(taken), rate)
	if err != nil {
		return err
	}
	defer reg.Close()
	names := make([]string, taken)
	for i := range names {
		names[i] = name(2 * i)
	}
	if err := reg.Import(names); err != nil {
		return err
	}
	reg.LookUps.Store(0)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d names are taken: %d KiB of filter in memory, %d KiB of store on disk\n",
		taken, reg.filter.Params().Bytes()>>10, info.Size()>>10)

	found, filtered, err := ask(reg.Taken, taken, asked)
	if err != nil {
		return err
	}
	lookUps := int(reg.LookUps.Load())
	_, alone, err := ask(reg.stored, taken, asked)
	if err != nil {
		return err
	}
	absent := asked - found
	fmt.Fprintf(out, "%d names asked: %d taken, %d free\n", asked, found, absent)
	fmt.Fprintf(out, "%d store look-ups, %d saved (%.1f %%)\n%d free names were looked up in vain (%.2f %% of them)\n",
		lookUps, asked-lookUps, 100*float64(asked-lookUps)/float64(asked),
		lookUps-found, 100*float64(lookUps-found)/float64(absent))
	fmt.Fprintf(out, "%v per name, %v if the store is asked each time\n", filtered, alone)

	for _, who := range []string{"linus", "linus"} {
		ok, err := reg.SignUp(who)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s signs up: %v\n", who, map[bool]string{true: "welcome", false: "the name is taken"}[ok])
	}
	return nil
}

// ask asks for random names. It returns how many of them are taken and the time
// for each.
func ask(has func(string) (bool, error), taken, asked int) (found int, each time.Duration, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	for range asked {
		ok, err := has(name(wanted(r, taken)))
		if err != nil {
			return 0, 0, err
		}
		if ok {
			found++
		}
	}
	return found, time.Since(began) / time.Duration(max(asked, 1)), nil
}
