package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"github.com/linebloom/linebloom/asm"
	"github.com/spf13/cobra"
)

func newVersion(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the CPU and the kernel in use",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := printVersion(std.out); err != nil {
				return fmt.Errorf("writing the output: %w", err)
			}
			return nil
		},
	}
}

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, `linebloom  %s
go         %s %s/%s
cpu        %s
kernels    %s
chosen     %s
`, version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, cpuName(), kernelNames(", "), asm.Chosen())
	return err
}

// version returns the module's version, and the commit if the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}

func cpuName() string {
	if name := strings.TrimSpace(cpuid.CPU.BrandName); name != "" {
		return name
	}
	return "unknown"
}

// kernelNames returns the names of the kernels that this CPU can run, best
// first.
func kernelNames(separator string) string {
	var names []string
	for _, k := range asm.Kernels() {
		names = append(names, k.Name)
	}
	return strings.Join(names, separator)
}
