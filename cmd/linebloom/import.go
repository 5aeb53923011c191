package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/linebloom/linebloom/cmd/linebloom/internal/foreign"
	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/spf13/cobra"
)

// importing is a run of the import command.
type importing struct {
	format string
	hash   string
	probes []string
	path   string // of the container; "": none is made
	force  bool
	asJSON bool
	quiet  bool
}

// errHash reports that the hash of a filter could not be found.
var errHash = errors.New("hash not found")

// auto is the format or hash that is to be found.
const auto = "auto"

func newImport(std streams) *cobra.Command {
	var m importing
	cmd := &cobra.Command{
		Use:   "import FOREIGN",
		Short: "Read a filter of another program, and find its hash",
		Long: `Import reads a classic Bloom filter that another program has written, checks it
and prints what it is. It knows

  dcso     files of DCSO's bloom, which CIRCL's hashlookup uses too
  pybloom  files and base64 texts of pybloomfiltermmap, of 64- and 32-bit CPUs

also compressed with gzip. The bits of a classic filter cannot be turned into
the blocks of this library, so it is asked as it is: check, audit and info take
FOREIGN itself, and it stays as slow as such filters are.

A filter of pybloomfiltermmap does not tell which hash it was filled with. With
--probe WORD, a key that is surely in it, import finds the hash: the one with
which all words are in the filter. If several are, another word tells. check
takes the hash as --hash.

With -o FILE it saves the filter with its hash and with checksums, so that
check, audit and info need neither --hash nor to decompress it.

It exits with 0, 1 if a word is not in the filter, and 2 on an error.`,
		Example: `  linebloom import hashlookup-full.bloom
  linebloom import --probe apple --probe pear fruit.b64 -o fruit.lbi
  linebloom check fruit.lbi words.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one filter of another program")
			}
			if err := m.check(cmd); err != nil {
				return err
			}
			ctx, stop := stopOnSignal(cmd.Context())
			defer stop()
			return m.run(ctx, std, args[0])
		},
	}
	formats := []string{auto, foreign.DCSO, foreign.Pybloom}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&m.format, "format", auto, strings.Join(formats, ", "))
	flags.StringVar(&m.hash, "hash", auto, "auto, or one of these:\n"+strings.Join(foreign.Hashes(), ", "))
	flags.Lookup("hash").DefValue = "" // it would not fit into the line
	flags.StringArrayVar(&m.probes, "probe", nil, "`WORD` that is in the filter, also several times")
	addOutputFlags(cmd, &m.path, &m.force)
	flags.BoolVar(&m.asJSON, "json", false, "print JSON")
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "do not print what it is")
	for name, values := range map[string][]string{"format": formats, "hash": append([]string{auto}, foreign.Hashes()...)} {
		cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// check refuses names that are not known.
func (m *importing) check(cmd *cobra.Command) error {
	switch {
	case m.format != auto && m.format != foreign.DCSO && m.format != foreign.Pybloom:
		return fmt.Errorf("--format is %q, want auto, dcso or pybloom", m.format)
	case m.hash != auto && m.hash != "fnv1" && !slices.Contains(foreign.Hashes(), m.hash):
		return fmt.Errorf("--hash is %q, want auto or one of %s", m.hash, strings.Join(foreign.Hashes(), ", "))
	case m.force && !cmd.Flags().Changed("output"):
		return errors.New("--force is for -o FILE")
	case m.asJSON && m.quiet:
		return errors.New("--json and --quiet contradict each other")
	}
	return nil
}

func (m *importing) run(ctx context.Context, std streams, path string) error {
	var d *draft
	if m.path != "" {
		var err error
		if d, err = newDraft(m.path, m.force); err != nil {
			return err
		}
		defer d.discard()
	}
	f, err := m.open(path)
	if err == nil {
		err = m.findHash(path, f)
	}
	if errors.Is(err, errHash) {
		complain(std, err)
		return exitCode(exitNone)
	}
	if err != nil {
		return err
	}
	if d != nil {
		if f.Hash() == "" {
			return fmt.Errorf("%s: %w; find it with --probe WORD, a key that is in the filter", path, foreign.ErrNoHash)
		}
		err := d.write(ctx, func(name string) error {
			return atomicfile.Replace(name, func(w io.Writer) error {
				_, err := f.WriteTo(w)
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	if m.quiet {
		return nil
	}
	return foreignInfoOf(path, f).write(std, m.asJSON)
}

func (m *importing) open(path string) (*foreign.Filter, error) {
	if err := checkFilterPath(path); err != nil {
		return nil, err
	}
	if looksLikeFilter(path) {
		return nil, fmt.Errorf("%s is a filter of this library, or too short for any; info describes it", path)
	}
	f, err := readForeign(path, fmt.Errorf("%s is %w of a format that import knows", path, errNotFilter))
	if err == nil && m.format != auto && m.format != f.Format {
		return nil, fmt.Errorf("%s is of the format %s, not %s", path, f.Format, m.format)
	}
	return f, err
}

// findHash sets the hash of a filter, if there is enough to find it, and checks
// that the words are in the filter.
func (m *importing) findHash(path string, f *foreign.Filter) error {
	if m.hash != auto {
		if err := f.SetHash(m.hash); err != nil {
			return err
		}
	}
	var words [][]byte
	for _, word := range m.probes {
		words = append(words, []byte(word))
	}
	if f.Hash() != "" {
		for i, word := range words {
			if !f.Has(word) {
				return fmt.Errorf("%s: %w: %q is certainly not in it, by the hash %s", path, errHash, m.probes[i], f.Hash())
			}
		}
		return nil
	}
	if len(words) == 0 {
		return nil
	}
	switch fitting := f.FittingHashes(words); len(fitting) {
	case 0:
		return fmt.Errorf("%s: %w: with none of %s all words are in it", path, errHash, strings.Join(foreign.Hashes(), ", "))
	case 1:
		return f.SetHash(fitting[0])
	default:
		return fmt.Errorf("%s: the words are in it with each of %s; give one more --probe WORD", path, strings.Join(fitting, ", "))
	}
}
