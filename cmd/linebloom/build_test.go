package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// built makes a filter file of the lines of a text and returns its name.
func built(t testing.TB, text string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f.lbf")
	if code, _, err := command(text, append([]string{"build", "-q", "-o", name}, flags...)...); code != 0 || err != "" {
		t.Fatalf("build: exit %d, %q", code, err)
	}
	return name
}

// opened opens a filter file and verifies it.
func opened(t testing.TB, name string) *filterfile.File {
	t.Helper()
	f, err := filterfile.Open(name, filterfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// count returns lines of the numbers from 0 to n-1.
func count(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// contents returns the names in a folder, hidden ones too.
func contents(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestBuildHoldsEveryLine(t *testing.T) {
	text := count(20_000) + "\nlast\x00line" // an empty one, and no last newline
	some, rest := file(t, text[:50_000]), file(t, text[50_000:])
	for _, c := range []struct {
		name  string
		flags []string
	}{
		{"counted", nil},
		{"sized first", []string{"-n", "20_002"}},
		{"too small", []string{"-n", "100"}},
		{"by bits", []string{"--bits", "12.5"}},
		{"by bits, sized first", []string{"--bits", "8", "-n", "30000"}},
		{"with a seed", []string{"--seed", "0xfeed"}},
		{"at another rate", []string{"-p", "1e-6"}},
	} {
		name := filepath.Join(t.TempDir(), "f.lbf")
		code, out, err := command("", append([]string{"build", "-o", name, some, rest}, c.flags...)...)
		if code != 0 || out != "" || !strings.HasPrefix(err, name+": 20,00") {
			t.Fatalf("%s: exit %d, %q, %q", c.name, code, out, err)
		}
		f := opened(t, name)
		for line := range strings.SplitSeq(text, "\n") {
			if !f.HasString(line) {
				// One line is cut in two by the files.
				if !strings.Contains(text[49_990:50_010], line) {
					t.Fatalf("%s: line %q is lost", c.name, line)
				}
			}
		}
	}
}

func TestBuildMakesTheSizeThatIsAskedFor(t *testing.T) {
	text := count(10_000)
	for _, c := range []struct {
		name  string
		flags []string
		want  func() (blocked.Params, error)
		n     uint64
		rate  float64
	}{
		{"default", nil, func() (blocked.Params, error) { return blocked.ParamsFor(10_000, 1e-3) }, 10_000, 1e-3},
		{"rate", []string{"-p", "0.02"}, func() (blocked.Params, error) { return blocked.ParamsFor(10_000, 0.02) }, 10_000, 0.02},
		{"capacity", []string{"-n", "77"}, func() (blocked.Params, error) { return blocked.ParamsFor(77, 1e-3) }, 77, 1e-3},
		{"bits", []string{"--bits", "11"}, func() (blocked.Params, error) { return blocked.ParamsForBytes(10_000, 13_750) }, 10_000, 0},
		{"few bits", []string{"--bits", "1e-9"}, func() (blocked.Params, error) { return blocked.ParamsForBytes(10_000, 64) }, 10_000, 0},
		{"seed", []string{"--seed", "7"}, func() (blocked.Params, error) {
			return blocked.ParamsFor(10_000, 1e-3, blocked.WithSeed(7))
		}, 10_000, 1e-3},
	} {
		want, err := c.want()
		if err != nil {
			t.Fatal(err)
		}
		f := opened(t, built(t, text, c.flags...))
		if f.Params() != want || f.Capacity() != c.n || f.TargetFPRate() != c.rate {
			t.Errorf("%s: %v for %d keys at %g; want %v, %d, %g",
				c.name, f.Params(), f.Capacity(), f.TargetFPRate(), want, c.n, c.rate)
		}
	}
	// A filter does not depend on when its size was known.
	if !opened(t, built(t, text)).Equal(opened(t, built(t, text, "-n", "10000"))) {
		t.Error("a filter of counted lines differs from one that was sized first")
	}
	// Repetitions in a row do not count.
	if n := opened(t, built(t, "a\na\na\nb\nb\n")).Capacity(); n != 2 {
		t.Errorf("sized for %d keys, want 2", n)
	}
}

func TestBuildTellsWhatItMade(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.lbf")
	_, _, err := command(count(1000), "build", "-o", name)
	if !strings.HasPrefix(err, name+": 1,000 lines, about ") || !strings.Contains(err, " bytes, expected rate 0.00") ||
		strings.Count(err, "\n") != 1 {
		t.Errorf("%q", err)
	}
	_, _, err = command("", "build", "--force", "-o", name)
	if err != name+": 0 lines, about 0 keys, 64 bytes, expected rate 0\n" {
		t.Errorf("of no lines: %q", err)
	}
	code, _, err := command(count(1000), "build", "--force", "-n", "500", "-o", name)
	if code != 0 || !strings.Contains(err, "holds more keys than the 500 it was made for, at a rate of 0.") {
		t.Errorf("of too many lines: exit %d, %q", code, err)
	}
	if _, _, err = command(count(10_000), "build", "--force", "--bits", "1e-9", "-o", name); !strings.Contains(err, ", full, 64 bytes, expected rate 1\n") ||
		strings.Contains(err, "more keys") {
		t.Errorf("of few bits: %q", err)
	}
	if _, _, err = command(count(500)+count(500), "build", "--force", "-n", "500", "-o", name); strings.Contains(err, "more keys") {
		t.Errorf("of repeated lines: %q", err)
	}
}

func TestBuildTakesALongLine(t *testing.T) {
	long := strings.Repeat("long ", 10<<20) // 50 MiB
	f := opened(t, built(t, "short\n"+long+"\nend"))
	if !f.HasString(long) || !f.HasString("short") || !f.HasString("end") || f.HasString("other") {
		t.Error("wrong answers")
	}
}

func TestBuildReplacesNothingUnasked(t *testing.T) {
	name := file(t, "precious\n")
	dir := filepath.Dir(name)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Skip(err)
	}
	for _, place := range []string{name, link, dir} {
		code, _, err := command("a\n", "build", "-o", place)
		if code != 2 || !strings.Contains(err, " exists") || strings.Count(err, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", place, code, err)
		}
	}
	for _, place := range []string{dir, link, os.DevNull} {
		code, _, err := command("a\n", "build", "--force", "-o", place)
		if code != 2 || !strings.Contains(err, " exists ") || strings.Count(err, "\n") != 1 {
			t.Errorf("forced onto %s: exit %d, %q", place, code, err)
		}
	}
	if text, _ := os.ReadFile(name); string(text) != "precious\n" || len(contents(t, dir)) != 2 {
		t.Fatalf("the file is %q now, the folder has %q", text, contents(t, dir))
	}

	// What appears while the input is read counts too.
	d, e := newDraft(filepath.Join(dir, "late"), false)
	if e != nil {
		t.Fatal(e)
	}
	defer d.discard()
	os.WriteFile(d.path, []byte("somebody else's"), 0o666)
	f, _ := blocked.New(10, 0.1)
	if err := d.save(context.Background(), f); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("saving over a new file: %v", err)
	}
	if text, _ := os.ReadFile(d.path); string(text) != "somebody else's" {
		t.Errorf("the file is %q now", text)
	}
}

func TestBuildReplacesByForce(t *testing.T) {
	name := file(t, "old\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(name, link); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	code, _, err := command("a\n", "build", "-q", "--force", "-o", link)
	if code != 0 || err != "" || !opened(t, name).HasString("a") {
		t.Fatalf("exit %d, %q", code, err)
	}
	info, _ := os.Stat(name)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v now", info.Mode())
	}
	for _, dir := range []string{filepath.Dir(name), filepath.Dir(link)} {
		if len(contents(t, dir)) != 1 {
			t.Errorf("left behind: %q", contents(t, dir))
		}
	}
	// A failure leaves the old one.
	code, _, _ = command("", "build", "--force", "-o", name, "no such input")
	if code != 2 || !opened(t, name).HasString("a") {
		t.Errorf("exit %d", code)
	}
}

func TestBuildBadUse(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f.lbf")
	input := file(t, "a\n")
	missing := filepath.Join(dir, "missing")
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{input}, "name the filter file to make"},
		{[]string{"-o", "", input}, "name the filter file to make"},
		{[]string{"-o", "-", input}, "cannot go to standard output"},
		{[]string{"-o", name, missing}, "no such file or directory; no filter was saved"},
		{[]string{"-o", name, input, missing}, "no such file or directory; no filter was saved"},
		{[]string{"-o", name, input, dir}, "is a directory; no filter was saved"},
		{[]string{"-o", filepath.Join(missing, "f"), input}, "cannot be written: no such file"},
		{[]string{"-o", filepath.Join(input, "f"), input}, "not a directory"},
		{[]string{"-o", input, "--force", input}, "is the filter and an input too"},
		{[]string{"-o", name, "-p", "0", input}, "false positive rate is 0"},
		{[]string{"-o", name, "-p", "NaN", input}, "false positive rate is NaN"},
		{[]string{"-o", name, "-p", "0.1", "--bits", "8", input}, "use one of them"},
		{[]string{"-o", name, "--bits", "0", input}, "--bits is 0"},
		{[]string{"-o", name, "--bits", "NaN", input}, "--bits is NaN"},
		{[]string{"-o", name, "-n", "0", input}, "want at least 1 key"},
		{[]string{"-o", name, "-n", "-1", input}, "invalid argument"},
		{[]string{"-o", name, "-n", "1.5", input}, "not whole"},
		{[]string{"-o", name, "-n", "1 million", input}, "invalid argument"},
		{[]string{"-o", name, "-f", "0", input}, "--field is 0"},
		{[]string{"-o", name, "-t", ",", input}, "--delimiter is for --field"},
		{[]string{"-o", name, "-0", "--crlf", input}, "not for --null"},
		{[]string{"-o", name, "-n", "1_000_000_000_000", input}, "filter too large"},
	} {
		code, out, err := command("a\n", append([]string{"build"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, out, err, c.err)
		}
		if left := contents(t, dir); len(left) > 0 {
			t.Errorf("%v: left behind: %q", c.args, left)
		}
	}
}

func TestBuildTellsOfAFolderThatCannotBeWritten(t *testing.T) {
	dir, want := t.TempDir(), "permission denied"
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)
	if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		f.Close() // this user may write to any folder, but not below a file
		dir, want = f.Name(), "not a directory"
	}
	code, _, err := command("a\n", "build", "-o", filepath.Join(dir, "f.lbf"))
	if code != 2 || !strings.Contains(err, "f.lbf") || !strings.HasSuffix(err, want+"\n") {
		t.Errorf("exit %d, %q", code, err)
	}
}

// Only the system knows what .. is behind a link.
func TestBuildFollowsALinkUpwards(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "real", "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("real", "sub"), filepath.Join(dir, "link")); err != nil || runtime.GOOS == "windows" {
		t.Skip("no links, or others")
	}
	code, _, err := command("a\n", "build", "-q", "-o", dir+"/link/../f.lbf")
	if code != 0 || err != "" {
		t.Fatalf("exit %d, %q", code, err)
	}
	opened(t, filepath.Join(dir, "real", "f.lbf"))
}

// A draft that is dropped while it is saved leaves nothing, then or later.
func TestADroppedDraftLeavesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	dir := t.TempDir()
	f, err := blocked.New(5_000_000, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	for delay := range 6 {
		d, err := newDraft(filepath.Join(dir, "f.lbf"), false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Duration(delay)*time.Millisecond, func() { cancel(interruption{}) })
		err = d.save(ctx, f)
		d.discard()
		if err == nil {
			os.Remove(d.path) // it was faster
		}
	}
	time.Sleep(100 * time.Millisecond)
	if left := contents(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestMemoryIsReadFromTheSystem(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0,
		"MemTotal:       24731708 kB\nMemFree:  1 kB\nSwapTotal:      1024 kB\n": 24731708<<10 + 1<<20,
		"MemTotal: lots\nVmallocTotal: 5 kB\nHugePages_Total:   0\n":             0,
	} {
		if got := memoryOf(text); got != want {
			t.Errorf("%d bytes in %q, want %d", got, text, want)
		}
	}
	if runtime.GOOS == "linux" {
		code, _, err := command("", "build", "-o", filepath.Join(t.TempDir(), "f"), "-n", "100_000_000_000")
		if code != 2 || !strings.Contains(err, "filter too large for this machine") {
			t.Errorf("exit %d, %q", code, err)
		}
	}
}
