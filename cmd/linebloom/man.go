package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/linebloom/linebloom/internal/atomicfile"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages into a folder",
		Long: `Man writes linebloom.1 and a page for each command into the folder DIR, which it
makes if it is missing. Their date is that of SOURCE_DATE_EPOCH, or today.`,
		Example: `  linebloom man ~/.local/share/man/man1
  man linebloom-check`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the folder to write into")
			}
			ctx, stop := stopOnSignal(cmd.Context())
			defer stop()
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return writePages(ctx, cmd.Root(), args[0])
		},
	}
}

// writePages writes the page of a command and of those below it.
func writePages(ctx context.Context, cmd *cobra.Command, dir string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	page := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	path := filepath.Join(dir, page+".1")
	header := &doc.GenManHeader{Title: strings.ToUpper(page), Section: "1", Source: "linebloom", Manual: "linebloom"}
	cmd.DisableAutoGenTag = true
	cmd.Long = markdown(cmd.Long)
	if err := atomicfile.Replace(path, func(w io.Writer) error { return doc.GenMan(cmd, header, w) }); err != nil {
		return fmt.Errorf("%w; the pages before it are written", err)
	}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writePages(ctx, c, dir); err != nil {
			return err
		}
	}
	return nil
}

// markdown makes of a text of help what the generator of manual pages reads:
// indented lines stay as they are, in the others nothing is special.
func markdown(text string) string {
	special := strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`)
	var b strings.Builder
	indented := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") != indented && line != "\n" {
			indented = !indented
			b.WriteByte('\n')
		}
		if indented && line != "\n" {
			b.WriteString("    " + line)
		} else {
			b.WriteString(special.Replace(line))
		}
	}
	return b.String()
}
