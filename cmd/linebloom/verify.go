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
	var quiet bool
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Tell whether filter files are whole",
		Long: `Verify compares every byte of filter files with their checksums, and prints for
each whether it is whole or damaged, and where.

It exits with 0 if all are whole, 1 if one is damaged, and 2 if one cannot be
read, is not a filter of a version that linebloom knows, or has no checksums now
since others have it open for adding.`,
		Example: `  linebloom verify *.lbf
  linebloom verify -q seen.lbf || echo build it again`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				return errors.New("name the filter files to verify")
			}
			return verify(std, paths, quiet)
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print errors only")
	return cmd
}

func verify(std streams, paths []string, quiet bool) error {
	code := exitSome
	for _, path := range paths {
		verdict := path + ": whole"
		f, err := openFilter(path, filterfile.Options{})
		switch {
		case err == nil:
			f.Close()
		case errors.Is(err, blocked.ErrCorrupt):
			code = max(code, exitNone)
			verdict = strings.NewReplacer(blocked.ErrCorrupt.Error(), "damaged", " are damaged", "").Replace(plain(err))
		default:
			code = exitTrouble
			complain(std, err)
			continue
		}
		if quiet {
			continue
		}
		if _, err := fmt.Fprintln(std.out, verdict); err != nil {
			return fmt.Errorf("writing the output: %w", err)
		}
	}
	if code != exitSome {
		return exitCode(code)
	}
	return nil
}
