package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

func TestMergeUnitesAndIntersects(t *testing.T) {
	same := []string{"-n", "10_000", "-p", "1e-4", "--seed", "5"}
	a := built(t, count(3000), same...)
	b := built(t, "2999\nx\ny\n", same...)
	c := built(t, "2999\nz\n", same...)
	dir := t.TempDir()
	or, and := filepath.Join(dir, "or"), filepath.Join(dir, "and")

	code, out, err := command("", "merge", "--or", "-o", or, a, b, c)
	if code != 0 || out != "" || !strings.HasPrefix(err, or+": about 3,0") || strings.Count(err, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	union := opened(t, or)
	if !union.Equal(opened(t, built(t, count(3000)+"x\ny\nz\n", same...))) {
		t.Error("the union is not the filter of all lines")
	}
	if h := union.Header(); h.Capacity != 10_000 || h.FPRate != 1e-4 || h.CountState != blocked.Estimate || h.Count < 2990 || h.Count > 3010 {
		t.Errorf("the header of the union is %+v", h)
	}

	code, _, err = command("", "merge", "--and", "-o", and, a, b, c)
	if code != 0 || strings.Contains(err, "keys") {
		t.Errorf("exit %d, %q", code, err)
	}
	common := opened(t, and)
	if !common.HasString("2999") || common.HasString("x") || common.HasString("z") || common.HasString("5") {
		t.Error("wrong answers of the intersection")
	}
	if h := common.Header(); h.Capacity != 10_000 || h.CountState != blocked.Indeterminate || h.Count != 0 {
		t.Errorf("the header of the intersection is %+v", h)
	}
}

func TestMergeReplacesOnlyByForce(t *testing.T) {
	a, b := built(t, "a\n", "-n", "100"), built(t, "b\n", "-n", "100")
	before, _ := os.ReadFile(a)
	code, _, err := command("", "merge", "--or", "-o", a, a, b)
	after, _ := os.ReadFile(a)
	if code != 2 || !strings.Contains(err, "exists; choose another name") || string(before) != string(after) {
		t.Errorf("exit %d, %q", code, err)
	}
	code, _, err = command("", "merge", "-q", "--or", "--force", "-o", a, a, b)
	if f := opened(t, a); code != 0 || err != "" || !f.HasString("a") || !f.HasString("b") {
		t.Errorf("exit %d, %q", code, err)
	}
	if left := contents(t, filepath.Dir(a)); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

func TestMergeNamesWhatDoesNotFit(t *testing.T) {
	dir := t.TempDir()
	a := built(t, "a\n", "-n", "1000")
	for _, other := range [][]string{{"-n", "2000"}, {"-n", "1000", "-p", "0.1"}, {"-n", "1000", "--seed", "1"}} {
		b := built(t, "b\n", other...)
		out := filepath.Join(dir, "out")
		code, _, err := command("", "merge", "--or", "-o", out, a, a, b)
		for _, want := range []string{a, b, fmt.Sprint(opened(t, a).Params()), fmt.Sprint(opened(t, b).Params()), "the same --capacity"} {
			if !strings.Contains(err, want) {
				t.Errorf("%v: %q is not in the error %q", other, want, err)
			}
		}
		if code != 2 || strings.Count(err, "\n") != 1 || len(contents(t, dir)) > 0 {
			t.Errorf("%v: exit %d, %q, left %q", other, code, err, contents(t, dir))
		}
	}
}

// Filters of one geometry that were made for different numbers of keys can be
// merged, but for how many the result is made nobody knows.
func TestMergeOfDifferentWishes(t *testing.T) {
	dir := t.TempDir()
	one, _ := blocked.New(100, 0.01)
	two, _ := blocked.NewFromParams(one.Params())
	a, b, out := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "out")
	for name, f := range map[string]*blocked.Filter{a: one, b: two} {
		if err := filterfile.Save(name, f, []byte("metadata")); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, err := command("", "merge", "--or", "-o", out, a, b); code != 0 {
		t.Fatalf("exit %d, %q", code, err)
	}
	if h := opened(t, out).Header(); h.Capacity != 0 || h.FPRate != 0 {
		t.Errorf("%+v", h)
	}
	if code, out, _ := command("", "info", out); code != 0 || !strings.Contains(out, "capacity        not known") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestMergeTellsOfAnOverfullUnion(t *testing.T) {
	a, b := built(t, count(1000), "-n", "1000"), built(t, strings.ReplaceAll(count(1000), "\n", "x\n"), "-n", "1000")
	out := filepath.Join(t.TempDir(), "out")
	code, _, err := command("", "merge", "--or", "-o", out, a, b)
	if code != 0 || !strings.Contains(err, "holds more keys than the 1,000 it was made for") {
		t.Errorf("exit %d, %q", code, err)
	}
}

func TestMergeBadUse(t *testing.T) {
	dir := t.TempDir()
	a, out := built(t, count(5000)), filepath.Join(dir, "out")
	bad := built(t, count(5000))
	damage(t, bad, 5000)
	for _, c := range []struct {
		args []string
		err  string
	}{
		{[]string{"-o", out, a, a}, "say either --or"},
		{[]string{"--or", "--and", "-o", out, a, a}, "say either --or"},
		{[]string{"--or", a, a}, "name the filter file to make"},
		{[]string{"--or", "-o", out, a}, "name at least two"},
		{[]string{"--or", "-o", out}, "name at least two"},
		{[]string{"--or", "-o", out, a, "missing"}, "no such file"},
		{[]string{"--or", "-o", out, dir, a}, "is a directory"},
		{[]string{"--or", "-o", out, a, file(t, "text\n")}, "is not a filter file"},
		{[]string{"--or", "-o", out, a, bad}, "are damaged"},
		{[]string{"--and", "-o", out, bad, a}, "are damaged"},
	} {
		code, stdout, err := command("", append([]string{"merge"}, c.args...)...)
		if code != 2 || stdout != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 || len(contents(t, dir)) > 0 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, stdout, err, c.err)
		}
	}
}
