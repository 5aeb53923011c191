package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/linebloom/linebloom/filterfile"
	"github.com/spf13/cobra"
)

// exitCode is an error that carries an exit code other than exitTrouble, and
// about which everything has been said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run executes the command and returns its exit code.
func run(args []string, std streams) (code int) {
	// Memory of a mapped file that cannot be read is an error and not a crash.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			complain(std, faultOf(r))
			code = exitTrouble
		}
	}()
	root := newRoot(std)
	root.SetArgs(append([]string{}, args...)) // of nil it would take those of the process
	err := root.Execute()
	var exit exitCode
	var stopped interruption
	switch {
	case err == nil:
		return exitSome
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, syscall.EPIPE):
		// Nobody reads on. The system ends most such commands silently, but not
		// those that were started with its signal ignored.
		return exitPipe
	}
	complain(std, err)
	if errors.As(err, &stopped) {
		return stopped.code()
	}
	return exitTrouble
}

// faultOf returns what a panic says of a mapped file, and panics on if it is not
// about one.
func faultOf(r any) error {
	switch r := r.(type) {
	case *filterfile.FaultError:
		return r
	case interface {
		runtime.Error
		Addr() uintptr // of a fault
	}:
		return errors.New("a filter file was truncated while it was read, or its disk fails")
	}
	panic(r)
}

// complain prints an error on one line.
func complain(std streams, err error) {
	fmt.Fprintf(std.err, "linebloom: %s\n", plain(err))
}

// plain returns the text of an error on one line, without the name of the
// library, which the command has too.
func plain(err error) string {
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	return strings.ReplaceAll(strings.TrimPrefix(text, "linebloom: "), ": linebloom: ", ": ")
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "linebloom",
		Short: "Bloom filters for streams of lines",
		Long: `Linebloom tests which lines of a stream may be in a set, with a Bloom filter:
little memory, no false "no", and a small, known rate of false "maybe".`,
		Example: `  linebloom demo                           # on the sources of Go itself
  linebloom check --keys seen.txt new.txt  # lines of new.txt seen before
  linebloom build -o seen.lbf seen.txt     # the same in two steps, with a
  linebloom check seen.lbf new.txt         # filter file
  linebloom add seen.lbf new.txt           # that can be added to
  linebloom info seen.lbf
  cat *.log | linebloom dedup              # each line once, in order
  linebloom calc -n 10M -p 0.1%            # what a filter will need
  linebloom help topics                    # inputs, rates, formats, exit codes`,
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
	root.AddCommand(
		newBuild(std), newAdd(std), newCheck(std), newAudit(std), newMerge(std), newDedup(std), newImport(std),
		newRedis(std), newCalc(std), newInfo(std), newVerify(std), newDemo(std), newVersion(std),
		newCompletion(std), newMan(),
	)
	root.AddCommand(newTopics()...)
	root.CompletionOptions.DisableDefaultCmd = true
	return root
}
