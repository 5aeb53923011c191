package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newTopics returns pages of help that are about no single command.
func newTopics() []*cobra.Command {
	topics := []*cobra.Command{
		{
			Use:   "inputs",
			Short: "Which lines and keys the commands read",
			Long: `Commands that have INPUTs read lines of any length and any bytes from files and
from standard input, which is what "-" means and what is read if no INPUT is
named. The last line may lack its newline. An INPUT that cannot be read is
reported, the others are read, and the exit code is 2; build makes no filter
then.

  -0, --null       lines end with NUL, as find -print0 writes them
  --crlf           a carriage return before the newline is no part of the key;
                   the line is printed with it
  -f, --field N    the key is the N-th field of the line, 1 for the first; check
                   prints whole lines. A line with fewer fields has the empty
                   key, as in awk.
  -t, --delimiter  what is between fields: a TAB unless said, or any other text.
                   Quotes, as in CSV, mean nothing.
  --plain          do not decompress

INPUTs whose names end in .gz or .zst, and those that begin as files of gzip or
zstd do, standard input too, are decompressed. What is damaged, cut off or not
compressed at all is an error; the lines before it have been read.

Files of keys (--keys and --allow of check) are read by the same rules, but
their lines have no fields: each is a key.`,
		},
		{
			Use:   "rates",
			Short: "How often a filter is wrong, and what that costs",
			Long: `A filter never misses a key that was added. Of other keys it takes some for its
own, at the false positive rate p, which it holds up to the number of keys that
it was made for, its capacity. With more keys the rate grows.

  p       bits per key   k
  0.1         4.9         3
  0.01        9.9         6
  0.001      15.7         8      the default of build
  1e-4       22.1        12
  1e-6       39.0        16      the default of check --keys

Lower rates than 1e-8 are refused. Rates are written 0.001, 1e-3, 0.1%, 1/1000
or '1 in 1k', numbers of keys 10M or 1.5k, with decimal units, memory 64MiB or
1GB.

If n lines that are not keys are checked, n times p of them are wrong on
average. Choose p so that this is less than matters, or make it none: audit
lists which of the lines that matter are wrong, and check --allow leaves those
out.

calc computes rates and sizes for this library and for classic filters, which
need less memory but touch as many cache lines as they have bits per key set.
info tells the rate of a filter as it is filled now.`,
		},
		{
			Use:   "formats",
			Short: "Which filter files can be read",
			Long: `Filters of this library (build, add --create, merge) have checksums and are
mapped into memory; docs/FORMAT.md describes them for other languages. Every
command takes them.

check, audit, info and import also read classic filters of other programs, as
they are:

  dcso      github.com/DCSO/bloom, version 1, also compressed with gzip. The
            filters of CIRCL's hashlookup are of this kind; their keys are
            SHA-1 sums in upper case. DCSO's command strips carriage returns;
            check --crlf does so too.
  pybloom   pybloomfiltermmap and pybloomfiltermmap3, files ("MBITARRAY") of
            CPUs of 64 and 32 bits, and texts of to_base64.

A file of pybloomfiltermmap does not tell its hash, which depends on the
release:

  djb        the first releases
  md5, superfast, sha512
             some releases and branches after them
  murmur32   MurmurHash3 of 128 bits, folded to 32: later ones
  murmur64   the same, folded to 64: those after these
  xxh64      xxHash of 64 bits: the newest

import --probe WORD finds it, if WORD is surely in the filter, and import -o
FILE saves filter and hash with checksums. check, audit and info take --hash.`,
		},
		{
			Use:   "exit-codes",
			Short: "What the commands exit with",
			Long: `As of grep:

  0    a line was selected, or a key is there, or all is well
  1    none was; for verify and info: a file is damaged; for demo: the filter
       was wrong; for import: a word is not in the filter
  2    trouble: bad usage, or something could not be read or written. Errors
       are on standard error, a line each, with what to do. Other INPUTs have
       been read all the same.

  128 and the number of a signal: it stopped the command, which has tidied up.
  130 is Ctrl-C. 141 is a closed pipe, which is not reported.

check -q exits with 0 as soon as a line is found, whatever else went wrong.`,
		},
		{
			Use:   "topics",
			Short: "This list",
			Long: `Help on what is about no single command:

  linebloom help inputs       which lines and keys the commands read
  linebloom help rates        how often a filter is wrong, and what that costs
  linebloom help formats      which filter files can be read
  linebloom help exit-codes   what the commands exit with`,
		},
	}
	for _, topic := range topics {
		topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), cmd.Long)
		})
	}
	return topics
}
