package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
)

func TestRedisCommands(t *testing.T) {
	s := redistest.Start(t)
	// redis runs a command with the server and returns what it wrote.
	redis := func(stdin string, args ...string) (code int, out, err string) {
		return command(stdin, append([]string{"redis", "--url", "redis://" + s.Addr}, args...)...)
	}
	expect := func(code int, out, err string, stdin string, args ...string) {
		t.Helper()
		gotCode, gotOut, gotErr := redis(stdin, args...)
		if gotCode != code || gotOut != out || !strings.Contains(gotErr, err) || err == "" && gotErr != "" || strings.Count(gotErr, "\n") > 1 {
			t.Fatalf("%v: exit %d, out %q, err %q; want %d, %q, %q", args, gotCode, gotOut, gotErr, code, out, err)
		}
	}
	expect(2, "", "redis create makes one", "a\n", "add", "f")
	expect(2, "", "for how many", "", "create", "f")
	expect(0, "", "f: ", "", "create", "f", "-n", "1000", "-p", "1e-6")
	expect(2, "", "--force", "", "create", "f", "-n", "1000")
	expect(0, "a\nb\n", "", "a\nb\na", "add", "--new-only", "f")
	expect(0, "c\n", "", "b\nc\n", "add", "--new-only", "f")
	expect(1, "", "", "b\nc\n", "add", "--new-only", "f")
	expect(0, "", "f: 1 new, 2 probably there before", "a\nb\nd", "add", "f")
	expect(0, "x,e\n", "", "x,e\ny,d\n", "add", "--new-only", "-f", "2", "-t", ",", "f")
	expect(2, "", "--unknown is", "a\n", "add", "--unknown", "old", "f")
	missing := filepath.Join(t.TempDir(), "missing")
	expect(2, "g\n", "no such file", "g\n", "add", "--new-only", "f", missing, "-")

	expect(0, "a\nd\n", "", "a\nz\nd\n", "check", "f")
	expect(0, "z\n", "", "a\nz\nd\n", "check", "-v", "f")
	expect(0, "2\n", "", "a\nz\nd\n", "check", "-c", "f")
	expect(0, "", "", "a\nz\nd\n", "check", "-q", "f")
	expect(1, "", "", "y\nz\n", "check", "f")
	expect(2, "", "redis create makes one", "y\nz\n", "check", "nothing")

	code, out, _ := redis("", "info", "--json", "f")
	var i redisInfo
	if err := json.Unmarshal([]byte(out), &i); err != nil || code != 0 || i.Name != "f" || i.Capacity != 1000 || i.EstimatedCount < 5.5 || i.EstimatedCount > 6.5 {
		t.Errorf("%v: %s", err, out)
	}
	code, out, _ = redis("", "info", "f")
	if code != 0 || !strings.Contains(out, "about 6 keys") {
		t.Errorf("info: exit %d, %s", code, out)
	}
	fits(t, "info", out)

	// To a file and back, byte for byte.
	dir := t.TempDir()
	saved, again := filepath.Join(dir, "f.lbf"), filepath.Join(dir, "g.lbf")
	expect(0, "", "", "", "save", "f", "-o", saved)
	expect(2, "", "--force", "", "save", "f", "-o", saved)
	expect(0, "", "g: ", "", "load", "g", saved, "--ttl", "1h")
	expect(0, "", "", "", "save", "g", "-o", again)
	one, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile(again); err != nil || !bytes.Equal(one, two) {
		t.Errorf("a filter comes back from Redis changed: %v", err)
	}
	if code, out, _ := command("a\nz\n", "check", saved); code != 0 || out != "a\n" {
		t.Errorf("check of the saved filter: exit %d, %q", code, out)
	}

	// What is lost is an error, and nothing is printed as new or as absent.
	s.Client(nil).FlushAll(t.Context())
	expect(0, "", "", "", "drop", "g")
	expect(0, "", "h: ", "", "create", "h", "-n", "1000")
	s.Client(nil).Del(t.Context(), "h:{0}")
	for _, args := range [][]string{{"check", "h"}, {"check", "-v", "h"}, {"check", "-c", "h"}, {"add", "--new-only", "h"}} {
		expect(2, "", "redis drop removes what is left", "a\n", args...)
	}
	expect(0, "", "", "", "drop", "h")
	expect(2, "", "redis create makes one", "a\n", "check", "h")
}

// The whole fleet prints a line once.
func TestRedisAddOfManyPrintsALineOnce(t *testing.T) {
	s := redistest.Start(t)
	url := "redis://" + s.Addr
	if code, _, err := command("", "redis", "create", "--url", url, "f", "-n", "100k", "-p", "1e-6"); code != 0 {
		t.Fatal(err)
	}
	lines := count(20_000)
	outs := make(chan string, 4)
	for range cap(outs) {
		go func() {
			var out bytes.Buffer
			run([]string{"redis", "add", "--url", url, "--new-only", "f"}, streams{strings.NewReader(lines), &out, io.Discard})
			outs <- out.String()
		}()
	}
	all := ""
	for range cap(outs) {
		all += <-outs
	}
	seen := map[string]bool{}
	for line := range strings.Lines(all) {
		if seen[line] {
			t.Fatalf("%q is new twice", line)
		}
		seen[line] = true
	}
	if len(seen) < 19_990 {
		t.Errorf("%d of 20,000 lines are new", len(seen))
	}
}

func TestRedisThatIsNotThere(t *testing.T) {
	code, out, err := command("a\n", "redis", "--url", "redis://127.0.0.1:1", "add", "f")
	if code != 2 || out != "" || strings.Count(err, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, _, err := command("a\n", "redis", "--url", "http://x", "check", "f"); code != 2 || !strings.Contains(err, "--url") {
		t.Errorf("exit %d, %q", code, err)
	}
}
