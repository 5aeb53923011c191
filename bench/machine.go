package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/linebloom/linebloom/asm"
)

// A machine is what the numbers are true of.
type machine struct {
	Date       time.Time
	Command    string
	Commit     string
	Go         string
	OS         string
	Arch       string
	CPU        string
	Hypervisor bool
	Family     int
	Model      int
	Cores      int
	L1Data     int // bytes per core
	L2         int
	L3         int
	HugePages  string   `json:",omitempty"` // Linux: never, madvise or always
	RivalsHuge bool     // rivals were given huge pages
	Kernels    []string // that can run, best first
	Chosen     string
	PinnedTo   *int `json:",omitempty"`
}

func describe(command string) machine {
	m := machine{
		Date:       time.Now().UTC().Truncate(time.Second),
		Command:    command,
		Commit:     commit(),
		Go:         runtime.Version(),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		CPU:        cpuid.CPU.BrandName,
		Hypervisor: cpuid.CPU.Supports(cpuid.HYPERVISOR),
		Family:     cpuid.CPU.Family,
		Model:      cpuid.CPU.Model,
		Cores:      runtime.NumCPU(),
		L1Data:     cpuid.CPU.Cache.L1D,
		L2:         cpuid.CPU.Cache.L2,
		L3:         cpuid.CPU.Cache.L3,
		HugePages:  hugePages(),
		Chosen:     asm.Chosen(),
	}
	for _, k := range asm.Kernels() {
		m.Kernels = append(m.Kernels, k.Name)
	}
	return m
}

// commit returns the commit in the working directory, with a plus sign if files
// differ from it.
func commit() string {
	id, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(id))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ".", ":!docs").Output()
	if err != nil || len(changed) > 0 {
		name += "+"
	}
	return name
}

// hugePages returns the system's rule, the word in brackets.
func hugePages() string {
	rule, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(rule), "[")
	chosen, _, _ := strings.Cut(after, "]")
	return chosen
}
