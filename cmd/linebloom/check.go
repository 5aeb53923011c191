package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linebloom/linebloom/blocked"
	"github.com/spf13/cobra"
)

// checking is what the user of check says.
type checking struct {
	keys    string   // text file of keys
	rate    float64  // of the filter of them
	filters []string // more filter files
	any     bool
	allow   string // text file of exceptions
	opening
	format lineFormat
}

func newCheck(std streams) *cobra.Command {
	var (
		c   checker
		say checking
	)
	cmd := &cobra.Command{
		Use:   "check {FILE | -F FILE... | --keys KEYS} [INPUT...]",
		Short: "Print the input lines that may be in a filter or a text file",
		Long: `Check prints each line of the INPUTs (standard input if there are none, or for
"-") that may be among the keys of the filter in FILE, which build, add, merge
and import make, or among the lines of the text file KEYS, which it reads into a
filter first. Every line that is a key is printed; of the others about one in
1/RATE is. Lines of ALLOW are known not to be keys and never taken for one;
audit finds them.

With several filters a line is taken if any of them may have it, or with --all
if all may. --label prints before the line which of them may, and a TAB.

Lines may be of any length and hold any bytes; see help inputs for fields,
compressed INPUTs and so on. KEYS and ALLOW hold whole keys. Like grep, check
exits with 0 if a line was selected, 1 if none was and 2 on an error.

Every byte of FILE is verified before it is used. With --degraded a damaged one
can be used too: each line that falls into a damaged part may be a key then.
With --in-use one that others have open for adding can be used; check sees what
they add, and cannot verify it.`,
		Example: `  linebloom check seen.lbf frontier.txt                # probably seen before
  linebloom check -v --keys crawled.txt frontier.txt   # certainly new
  producer | linebloom check -c --keys leaked.txt      # how many
  linebloom check -F ads.lbf -F spam.lbf --label urls.gz
  linebloom check --allow exceptions.txt -f 2 -t , seen.lbf users.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.out = bufio.NewWriterSize(std.out, 64<<10)
			return c.run(cmd, std, &say, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&say.keys, "keys", "k", "", "text `FILE` of keys, one a line; - is standard input")
	flags.VarP(rateFlag(&say.rate, 1e-6), "rate", "p", "with --keys: rate of wrong matches")
	flags.StringArrayVarP(&say.filters, "filter", "F", nil, "filter `FILE`, also several times, not an argument")
	flags.BoolVar(&say.any, "any", false, "with several filters: lines in any of them (default)")
	flags.BoolVar(&c.all, "all", false, "with several filters: lines in all of them")
	flags.BoolVar(&c.label, "label", false, "print which filters may have the line, before it")
	flags.StringVar(&say.allow, "allow", "", "text `FILE` of keys that no filter has")
	c.addFlags(cmd)
	say.format.addFlags(cmd)
	say.opening.addFlags(cmd)
	for _, name := range []string{"keys", "filter", "allow"} {
		cmd.MarkFlagFilename(name)
	}
	return cmd
}

// check refuses what does not fit together.
func (say *checking) check(cmd *cobra.Command, c *checker, args []string) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("keys") && len(say.filters) == 0 && (changed("degraded") || changed("in-use") || changed("hash")):
		return errors.New("--degraded, --in-use and --hash are for filter files, not for --keys")
	case !changed("keys") && len(say.filters) == 0 && len(args) == 0:
		return errors.New("name a filter file, or a text file of keys with --keys FILE")
	case !changed("keys") && changed("rate"):
		return errors.New("--rate is for --keys; a filter file has got its rate already")
	case say.any && c.all:
		return errors.New("say either --any or --all")
	case c.label && (c.invert || c.count || c.quiet):
		return errors.New("--label is for lines that are printed since they may be there, not for -v, -c and -q")
	}
	return say.format.check(cmd)
}

func (c *checker) run(cmd *cobra.Command, std streams, say *checking, args []string) error {
	if err := say.check(cmd, c, args); err != nil {
		return err
	}
	inputs, filters := args, say.filters
	if len(filters) == 0 && say.keys == "" {
		filters, inputs = args[:1], args[1:]
	}
	if err := oneStandardInput(inputs, say.keys, say.allow); err != nil {
		return err
	}
	if say.allow != "" {
		if err := c.readAllowed(std, say); err != nil {
			return err
		}
	}
	if say.keys != "" {
		f, err := load(std, say)
		if err != nil {
			return err
		}
		c.add(say.keys, f)
	}
	for _, path := range filters {
		if err := notAnInput(path, inputs); err != nil {
			return err
		}
		f, finish, err := say.open(std, path)
		if errors.Is(err, errNotFilter) {
			return fmt.Errorf("%w; --keys %s asks the lines of a text file", err, path)
		}
		if err != nil {
			return err
		}
		defer finish()
		c.add(path, f)
	}
	return c.answer(context.Background(), std, &say.format, inputs)
}

// oneStandardInput refuses to read the standard input twice. Of files of keys ""
// is none.
func oneStandardInput(inputs []string, keys ...string) error {
	uses := 0
	if len(inputs) == 0 || slices.Contains(inputs, "-") {
		uses++
	}
	for _, name := range keys {
		if name == "-" {
			uses++
		}
	}
	if uses > 1 {
		return errors.New("standard input cannot be both keys and input; name a file for one of them")
	}
	return nil
}

// readAllowed reads the exceptions.
func (c *checker) readAllowed(std streams, say *checking) error {
	c.allow = map[string]struct{}{}
	err, _ := say.format.wholeLines().read(context.Background(), std, say.allow, func(_, keys [][]byte) error {
		for _, key := range keys {
			c.allow[string(key)] = struct{}{}
		}
		return nil
	})
	return err
}

// load builds a filter of the lines of the text file of keys.
func load(std streams, say *checking) (asked, error) {
	b, err := blocked.NewBuilder(say.rate)
	if err != nil {
		return nil, err
	}
	bar := newProgress(std, "reading keys", -1)
	defer bar.finish()
	err, _ = say.format.wholeLines().read(context.Background(), std, say.keys, func(_, keys [][]byte) error {
		b.AddKeys(keys)
		bar.add(len(keys))
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case b.Len() == 0:
		return nothing{}, nil
	}
	f, err := b.Finish()
	if err != nil {
		return nil, err
	}
	return f, nil
}
