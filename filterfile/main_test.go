package filterfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Tests that need other processes start this binary again, as a child: the name
// of what it does instead of testing is in LINEBLOOM_CHILD.
const childName = "LINEBLOOM_CHILD"

// children are the things that a child can do. Its error goes to stderr.
var children = map[string]func(args []string) error{
	"nothing": func([]string) error { return nil },
}

// failed is the exit code of a child that returned an error. That of a crash is 2.
const failed = 3

func init() {
	if os.Getenv(childName) != "" {
		// The system calls of a child are those of its first thread: strace
		// counts them by thread.
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	name := os.Getenv(childName)
	if name == "" {
		os.Exit(m.Run())
	}
	if err := children[name](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(failed)
	}
	os.Exit(0)
}

// child prepares a process that does what children call name. If the CPU is
// emulated, by go test -exec, LINEBLOOM_EXEC must say the same as that flag.
func child(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line := append(strings.Fields(os.Getenv("LINEBLOOM_EXEC")), exe)
	cmd := exec.Command(line[0], append(line[1:], args...)...)
	cmd.Env = append(os.Environ(), childName+"="+name)
	cmd.Stderr = &strings.Builder{}
	return cmd
}

// start starts a child.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	err := cmd.Start()
	if errors.Is(err, syscall.ENOEXEC) {
		missing(t, "this CPU is emulated, and the system does not know by what: set LINEBLOOM_EXEC to the emulator")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wait waits for children that must end well.
func wait(t *testing.T, cmds ...*exec.Cmd) {
	t.Helper()
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", cmd.Args, err, cmd.Stderr)
		}
	}
}

// startTogether starts children that call awaitStart and lets them go at once.
func startTogether(t *testing.T, cmds ...*exec.Cmd) {
	t.Helper()
	var gates []io.Closer
	for _, cmd := range cmds {
		gate, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, gate)
		start(t, cmd)
	}
	for _, gate := range gates {
		gate.Close()
	}
}

// awaitStart waits, in a child, for startTogether.
func awaitStart() { io.Copy(io.Discard, os.Stdin) }
