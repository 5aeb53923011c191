package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// exitCode is an error that carries an exit code other than exitTrouble, and
// about which everything has been said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run executes the command and returns its exit code.
func run(args []string, std streams) int {
	root := newRoot(std)
	root.SetArgs(args)
	err := root.Execute()
	var code exitCode
	switch {
	case err == nil:
		return exitSome
	case errors.As(err, &code):
		return int(code)
	}
	complain(std, err)
	return exitTrouble
}

// complain prints an error on one line.
func complain(std streams, err error) {
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	fmt.Fprintf(std.err, "linebloom: %s\n", strings.TrimPrefix(text, "linebloom: "))
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "linebloom",
		Short: "Bloom filters for streams of lines",
		Long: `Linebloom tests which lines of a stream may be in a set, with a Bloom filter:
little memory, no false "no", and a small, known rate of false "maybe".`,
		Example: `  linebloom demo                           # on the sources of Go itself
  linebloom check --keys seen.txt new.txt  # lines of new.txt seen before`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.AddCommand(newDemo(std), newCheck(std), newVersion(std))
	return root
}
