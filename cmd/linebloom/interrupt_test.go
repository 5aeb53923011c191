package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var theProgram struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(theProgram.dir)
	os.Exit(code)
}

// program builds the command, once, and returns its name.
func program(t testing.TB) string {
	t.Helper()
	b := &theProgram
	b.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "linebloom"); b.err != nil {
			return
		}
		if out, err := exec.Command("go", "build", "-o", filepath.Join(b.dir, "linebloom"), ".").CombinedOutput(); err != nil {
			b.err = errors.New(string(out))
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return filepath.Join(b.dir, "linebloom")
}

// A running is a process of the command whose input is open.
type running struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	err   bytes.Buffer
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startTo(t, nil, args...)
}

// startTo is start with a place for the output.
func startTo(t *testing.T, out io.Writer, args ...string) *running {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	r := &running{cmd: exec.Command(program(t), args...)}
	r.cmd.Stdout, r.cmd.Stderr = out, &r.err
	var err error
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	// A shell starts what runs in its background with interrupts ignored, and the
	// command would inherit that. What is caught is not inherited.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, stopSignals...)
	defer signal.Stop(caught)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill() })
	return r
}

// wait waits for the process and returns its exit code.
func (r *running) wait() int {
	r.cmd.Wait()
	return r.cmd.ProcessState.ExitCode()
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in 30 seconds: %s", what)
		}
	}
}

// Whatever stops a build, and whatever it waits for, it leaves what was there.
func TestAnInterruptedBuildLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
		args   []string
		old    string
	}{
		{"counting", os.Interrupt, nil, ""},
		{"sized first", os.Interrupt, []string{"-n", "1000"}, ""},
		{"replacing", os.Interrupt, []string{"--force"}, "old"},
		{"stopped otherwise", stopSignals[len(stopSignals)-1], nil, ""},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "f.lbf")
		if c.old != "" {
			os.WriteFile(name, []byte(c.old), 0o666)
		}
		before := len(contents(t, dir))
		r := start(t, append([]string{"build", "-o", name}, c.args...)...)
		io.WriteString(r.stdin, count(1000))
		eventually(t, "it reads", func() bool { return len(contents(t, dir)) > before })
		r.cmd.Process.Signal(c.signal)
		if code := r.wait(); code != 128+signalNumber(c.signal) || r.err.String() != "linebloom: interrupted; no filter was saved\n" {
			t.Errorf("%s: exit %d, %q", c.name, code, r.err.String())
		}
		if left := contents(t, dir); len(left) != before {
			t.Errorf("%s: left behind: %q", c.name, left)
		}
		if text, _ := os.ReadFile(name); string(text) != c.old {
			t.Errorf("%s: the file is %q now", c.name, text)
		}
	}
}

// A signal that a parent passes on comes twice, and must not end the tidying up.
func TestASecondSignalAtOnceChangesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := stopOnSignal(context.Background())
	defer stop()
	for range 3 { // of which one ends this process if it is not caught
		self.Signal(os.Interrupt)
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
	}
	if cause := context.Cause(ctx); !errors.Is(cause, interruption{2}) {
		t.Errorf("%v", cause)
	}
}

func TestAnInterruptedAddClosesItsFile(t *testing.T) {
	needSharing(t)
	name := built(t, "", "-n", "1000", "-p", "1e-8")
	r := start(t, "add", name)
	io.WriteString(r.stdin, "a\nb\nhalf a line")
	eventually(t, "it adds", func() bool {
		code, out, _ := command("a\nb\n", "check", "-c", "--in-use", name)
		return code == 0 && out == "2\n"
	})
	r.cmd.Process.Signal(os.Interrupt)
	if code := r.wait(); code != 130 || !strings.Contains(r.err.String(), ": 2 new, 0 probably") ||
		!strings.Contains(r.err.String(), "interrupted; "+name+" was closed") {
		t.Errorf("exit %d, %q", code, r.err.String())
	}
	if h := opened(t, name).Header(); h.InUse || h.Count != 2 {
		t.Errorf("%+v", h)
	}
}

// What is killed cannot close its file; the next one does.
func TestAKilledAddLosesNothing(t *testing.T) {
	needSharing(t)
	name := built(t, "", "-n", "1000", "-p", "1e-8")
	r := start(t, "add", name)
	io.WriteString(r.stdin, "a\nb\n")
	eventually(t, "it adds", func() bool {
		code, out, _ := command("a\nb\n", "check", "-c", "--in-use", name)
		return code == 0 && out == "2\n"
	})
	r.cmd.Process.Kill()
	r.wait()
	if code, _, err := command("", "verify", name); code != 2 || !strings.Contains(err, "not closed") {
		t.Errorf("exit %d, %q", code, err)
	}
	code, _, err := command("b\nc\n", "add", name)
	if code != 0 || !strings.Contains(err, "was not closed by those who added to it") || !strings.Contains(err, ": 1 new, 1 ") {
		t.Errorf("exit %d, %q", code, err)
	}
	if code, out, err := command("a\nb\nc\nd\n", "check", name); code != 0 || out != "a\nb\nc\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

// Opening a named pipe that nobody writes to can be interrupted too.
func TestAWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	forever := make(chan int)
	time.AfterFunc(10*time.Millisecond, func() { cancel(interruption{2}) })
	_, err := wait(ctx, func() (int, error) { return <-forever, nil })
	if !errors.Is(err, interruption{2}) {
		t.Errorf("%v", err)
	}
	if _, err := (stoppable{ctx, strings.NewReader("text")}).Read(make([]byte, 10)); !errors.Is(err, interruption{2}) {
		t.Errorf("a read after the end: %v", err)
	}
	text, err := io.ReadAll(stoppable{context.Background(), strings.NewReader("text")})
	if string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
