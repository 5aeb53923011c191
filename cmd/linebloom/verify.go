package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

func newVerify(std streams) *cobra.Command {
	var quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Tell whether filter files are whole",
		Long: `Verify compares every byte of filter files with their checksums, and prints for
each whether it is whole or damaged, and where.

It exits with 0 if all are whole, 1 if one is damaged, and 2 if one cannot be
read, is not a filter of a version that linebloom knows, or has no checksums now
since others have it open for adding.

With --json it prints an object for each file that it could judge.`,
		Example: `  linebloom verify *.lbf
  linebloom verify -q seen.lbf || echo build it again
  linebloom verify --json *.lbf | jq -r 'select(.whole | not).file'`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				return errors.New("name the filter files to verify")
			}
			return verify(std, paths, quiet, asJSON)
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print errors only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("quiet", "json")
	return cmd
}

// verdictOnFile is what verify finds.
type verdictOnFile struct {
	File   string `json:"file"`
	Whole  bool   `json:"whole"`
	Damage string `json:"damage,omitempty"`
}

func verify(std streams, paths []string, quiet, asJSON bool) error {
	code := exitSome
	for _, path := range paths {
		verdict := path + ": whole"
		facts := verdictOnFile{File: path, Whole: true}
		f, err := openFilter(path, filterfile.Options{})
		switch {
		case err == nil:
			f.Close()
		case errors.Is(err, blocked.ErrCorrupt):
			code = max(code, exitNone)
			facts.Whole, facts.Damage = false, plain(err)
			verdict = strings.NewReplacer(blocked.ErrCorrupt.Error(), "damaged", " are damaged", "").Replace(plain(err))
		default:
			code = exitTrouble
			complain(std, err)
			continue
		}
		if quiet {
			continue
		}
		if asJSON {
			err = printJSON(std.out, facts)
		} else {
			_, err = fmt.Fprintln(std.out, verdict)
		}
		if err != nil {
			return fmt.Errorf("writing the output: %w", err)
		}
	}
	if code != exitSome {
		return exitCode(code)
	}
	return nil
}
