package redistest

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// Main runs the tests of a package with a server for its examples, whose address
// use is given. Where there is no redis-server, and no CI, it leaves the examples
// out: use is given "".
func Main(m *testing.M, use func(addr string)) int {
	if _, err := exec.LookPath("redis-server"); err != nil && os.Getenv("CI") == "" {
		use("")
		return m.Run()
	}
	var t forMain
	defer t.end()
	use(Start(&t).Addr)
	return m.Run()
}

// forMain is the part of a test that Start needs, before there are tests.
type forMain struct {
	testing.TB
	cleanups []func()
}

func (*forMain) Helper()                      {}
func (t *forMain) Cleanup(f func())           { t.cleanups = append(t.cleanups, f) }
func (*forMain) Fatal(args ...any)            { panic(fmt.Sprint(args...)) }
func (*forMain) Skip(args ...any)             { panic(fmt.Sprint(args...)) }
func (*forMain) Fatalf(f string, args ...any) { panic(fmt.Sprintf(f, args...)) }

func (t *forMain) TempDir() string {
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		panic(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (t *forMain) end() {
	for _, f := range slices.Backward(t.cleanups) {
		f()
	}
}
