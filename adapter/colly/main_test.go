package colly

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Tests that need other processes start this binary again, as a child: the name of
// what it does instead of testing is in LINEBLOOM_CHILD.
const childName = "LINEBLOOM_CHILD"

// canShare says whether the system can share filter files between processes.
const canShare = runtime.GOOS == "linux" || runtime.GOOS == "darwin"

// children are the crawlers that a child can be: where the visited pages are, its
// frontier, where it starts.
var children = map[string]func(visited, frontier string, starts []string) error{
	"file":  crawlFromFiles,
	"redis": crawlFromRedis,
}

func TestMain(m *testing.M) {
	crawl := children[os.Getenv(childName)]
	if crawl == nil {
		os.Exit(m.Run())
	}
	if err := crawl(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
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
