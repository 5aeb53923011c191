package filterfile

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The calls between two marks, system calls that nothing else makes, are those
// that strace tampers with. A child makes them on its first thread.
const (
	markBegin = "linebloom-test-begins"
	markAdded = "linebloom-test-added" // the keys
	markEnd   = "linebloom-test-ends"
)

func mark(name string) { unix.Access(name, 0) }

// own are the calls that Go's runtime makes for itself, or whose failure is no
// matter to anybody.
var own = map[string]bool{
	"futex": true, "futex_time64": true, "nanosleep": true, "clock_nanosleep": true,
	"sched_yield": true, "sched_getaffinity": true, "madvise": true, "munmap": true,
	"rt_sigreturn": true, "sigreturn": true, "rt_sigprocmask": true, "rt_sigaction": true, "sigaltstack": true,
	"clone": true, "clone3": true, "gettid": true, "getpid": true, "tgkill": true, "set_robust_list": true,
	"epoll_create1": true, "epoll_ctl": true, "epoll_pwait": true, "eventfd2": true, "pipe2": true,
	"timer_settime": true, "timer_create": true, "setitimer": true, "restart_syscall": true, "prctl": true,
	"faccessat": true, "access": true, // the marks
}

// flags are the calls by which Go asks whether a file can be polled.
var flags = regexp.MustCompile(`F_[GS]ETFL`)

// needStrace ends a test where strace does not work.
func needStrace(t *testing.T) {
	t.Helper()
	if os.Getenv("LINEBLOOM_EXEC") != "" {
		t.Skip("strace would see the system calls of the emulator")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		missing(t, "this test needs strace: apt-get install strace")
	}
	cmd := child(t, "nothing")
	cmd.Path, cmd.Args = straced(cmd.Args, "-o", os.DevNull)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		missing(t, fmt.Sprintf("strace does not work here, which needs the right to trace processes: %v: %s", err, cmd.Stderr))
	}
}

// straced returns the command line that runs another under strace.
func straced(args []string, opts ...string) (path string, line []string) {
	path, _ = exec.LookPath("strace")
	line = append([]string{"strace", "-f", "-qq", "-e", "signal=none"}, opts...)
	return path, append(append(line, "--"), args...)
}

// A call is the n-th call of its name by the first thread of a process.
type call struct {
	name string
	n    int
}

func (c call) String() string { return fmt.Sprintf("%s number %d", c.name, c.n) }

// A traced child, after its end.
type trace struct {
	calls  []call   // between the marks
	order  []string // their names, with "added" for the mark
	lines  map[call]string
	marks  map[string]bool // that were passed
	hit    string          // the line of the call that was tampered with
	err    error           // that the child returned
	killed bool
}

var traceLine = regexp.MustCompile(`^(\d+) +([a-z0-9_]+)\((.*)$`)

// traceChild runs a child, which works on the file at path, under strace. That may
// tamper with one of its calls: inject says how.
func traceChild(t *testing.T, cmd *exec.Cmd, path string, at call, inject string) trace {
	t.Helper()
	log := filepath.Join(t.TempDir(), "trace")
	opts := []string{"-o", log}
	if isMap(at.name) { // of this file, and not for Go's memory, which is never the same
		opts = append(opts, "-P", path, "-P", markBegin, "-P", markAdded, "-P", markEnd)
	}
	if inject != "" {
		opts = append(opts, "-e", "trace=faccessat,"+at.name,
			"-e", fmt.Sprintf("inject=%s:%s:when=%d", at.name, inject, at.n))
	}
	cmd.Path, cmd.Args = straced(cmd.Args, opts...)
	cmd.Env = append(cmd.Env, "GOGC=off") // the collector is left out, so that calls are the same every time
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	tr := trace{lines: map[call]string{}, marks: map[string]bool{}}
	file, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]int{}
	first := ""
	for scan := bufio.NewScanner(file); scan.Scan(); {
		m := traceLine.FindStringSubmatch(scan.Text())
		if m == nil {
			continue // the end of a call, or what strace has to say
		}
		pid, name, rest := m[1], m[2], m[3]
		if first == "" {
			first = pid
		}
		if pid != first {
			continue
		}
		if isMap(name) && (!tr.marks[markBegin] || strings.Contains(rest, "MAP_ANON")) {
			continue
		}
		seen[name]++
		c := call{name, seen[name]}
		if strings.Contains(rest, markAdded) {
			tr.order = append(tr.order, "added")
		}
		for _, m := range []string{markBegin, markAdded, markEnd} {
			if strings.Contains(rest, m) {
				tr.marks[m] = true
			}
		}
		if !tr.marks[markBegin] || tr.marks[markEnd] || own[name] || flags.MatchString(rest) {
			continue
		}
		tr.calls, tr.order = append(tr.calls, c), append(tr.order, name)
		tr.lines[c] = scan.Text()
		if c == at {
			tr.hit = scan.Text()
		}
	}
	if exit != nil {
		said := fmt.Sprint(cmd.Stderr)
		switch code := exit.ExitCode(); {
		case code == failed:
			tr.err = errors.New(strings.TrimSpace(said))
		case code == -1: // strace dies as its child did
			tr.killed = true
		default:
			t.Fatalf("%s: exit code %d\n%s", at, code, said)
		}
	}
	return tr
}

func isMap(name string) bool { return name == "mmap" || name == "mmap2" }
