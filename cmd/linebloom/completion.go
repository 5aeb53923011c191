package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// shells are those that completions are generated for.
var shells = []struct {
	name     string
	generate func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

func newCompletion(std streams) *cobra.Command {
	var names []string
	for _, shell := range shells {
		names = append(names, shell.name)
	}
	return &cobra.Command{
		Use:   "completion {" + strings.Join(names, "|") + "}",
		Short: "Print a script that completes commands and flags in a shell",
		Long: `Completion prints a script for bash (with its package of completions), zsh, fish
or PowerShell. Let the shell read it when it starts.`,
		Example: `  linebloom completion bash >/etc/bash_completion.d/linebloom
  linebloom completion zsh >~/.zfunc/_linebloom      # a folder in $fpath
  linebloom completion fish >~/.config/fish/completions/linebloom.fish
  linebloom completion powershell >>$PROFILE`,
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, shell := range shells {
				if len(args) != 1 || args[0] != shell.name {
					continue
				}
				if err := shell.generate(cmd.Root(), std.out); err != nil {
					return fmt.Errorf("writing the output: %w", err)
				}
				return nil
			}
			return fmt.Errorf("name one shell: %s", strings.Join(names, ", "))
		},
	}
}
