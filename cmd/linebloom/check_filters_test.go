package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestCheckAsksSeveralFilters(t *testing.T) {
	a := built(t, "apple\nboth\n", "-p", "1e-8")
	b := built(t, "banana\nboth\n", "-p", "1e-7", "--seed", "3")
	c := built(t, "both\nfig\n", "-p", "1e-8")
	words := file(t, "cherry\nfig\n")
	input := file(t, "apple\nbanana\nboth\ncherry\nfig\n")
	for _, test := range []struct {
		name string
		args []string
		code int
		out  string
		err  string
	}{
		{"one", []string{"-F", a}, 0, "apple\nboth\n", ""},
		{"any", []string{"-F", a, "-F", b}, 0, "apple\nbanana\nboth\n", ""},
		{"any, said", []string{"--any", "-F", a, "-F", b}, 0, "apple\nbanana\nboth\n", ""},
		{"all", []string{"--all", "-F", a, "-F", b, "-F", c}, 0, "both\n", ""},
		{"all of one", []string{"--all", "-F", c}, 0, "both\nfig\n", ""},
		{"in none", []string{"-v", "-F", a, "-F", b}, 0, "cherry\nfig\n", ""},
		{"not in all", []string{"-v", "--all", "-F", a, "-F", b}, 0, "apple\nbanana\ncherry\nfig\n", ""},
		{"count", []string{"-c", "-F", a, "-F", b}, 0, "3\n", ""},
		{"quiet", []string{"-q", "-F", a, "-F", b}, 0, "", ""},
		{"none", []string{"--all", "-F", a, "--keys", words}, 1, "", ""},
		{"with keys", []string{"-F", a, "--keys", words}, 0, "apple\nboth\ncherry\nfig\n", ""},
		{"labels", []string{"--label", "-F", a, "-F", b, "--keys", words}, 0,
			a + "\tapple\n" + b + "\tbanana\n" + a + "," + b + "\tboth\n" + words + "\tcherry\n" + words + "\tfig\n", ""},
		{"labels of all", []string{"--label", "--all", "-F", a, "-F", c}, 0, a + "," + c + "\tboth\n", ""},
		{"any and all", []string{"--any", "--all", "-F", a}, 2, "", "say either --any or --all"},
		{"labels of nothing", []string{"--label", "-v", "-F", a}, 2, "", "--label is for lines that are printed"},
		{"a missing filter", []string{"-F", a, "-F", "missing"}, 2, "", "no such file"},
		{"a text for a filter", []string{"-F", a, "-F", words}, 2, "", "is not a filter file"},
		{"a filter for an input", []string{"-F", a, "-F", b, b}, 2, "", "is the filter and an input too"},
	} {
		code, out, err := command("", append(append([]string{"check"}, test.args...), input)...)
		if code != test.code || out != test.out || !strings.Contains(err, test.err) || test.err == "" && err != "" {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", test.name, code, out, err, test.code, test.out, test.err)
		}
	}
	// Without names the inputs are the standard input, as ever.
	if code, out, _ := command("fig\n", "check", "-F", a, "-F", c); code != 0 || out != "fig\n" {
		t.Errorf("exit %d, %q", code, out)
	}
}

// Many lines, so that there are several batches and words of answers.
func TestSeveralFiltersAgreeWithOneAfterTheOther(t *testing.T) {
	a, b := built(t, count(30_000), "-p", "1e-8"), built(t, strings.ReplaceAll(count(40_000), "0\n", "0x\n"), "-p", "1e-8")
	input := file(t, count(60_000))
	_, in, _ := command("", "check", a, input)
	_, want, _ := command(in, "check", b)
	if code, got, _ := command("", "check", "--all", "-F", a, "-F", b, input); code != 0 || got != want || want == in {
		t.Errorf("exit %d, %d bytes, want %d", code, len(got), len(want))
	}
}

func TestCheckAllowsExceptions(t *testing.T) {
	filter := built(t, "apple\nbanana\nnul\x00byte\n\n", "-p", "1e-8")
	for _, c := range []struct {
		name, stdin, allow string
		args               []string
		code               int
		out                string
	}{
		{"exceptions", "apple\nbanana\nfig\n", "apple\nfig\nother\n", nil, 0, "banana\n"},
		{"all of them", "apple\n", "apple", nil, 1, ""},
		{"inverted", "apple\nbanana\nfig\n", "apple\n", []string{"-v"}, 0, "apple\nfig\n"},
		{"none", "apple\n", "", nil, 0, "apple\n"},
		{"the empty line", "\napple\n", "\n", nil, 0, "apple\n"},
		{"bytes", "nul\x00byte\n", "nul\x00byte\n", nil, 1, ""},
		{"a part of a line is none", "apple\n", "appl\napple \n", nil, 0, "apple\n"},
		{"of fields, whole keys", "1,apple\n2,banana\n", "apple\n1,banana\n", []string{"-f2", "-t,"}, 0, "2,banana\n"},
		{"with CR", "apple\r\nbanana\r\n", "apple\r\n", []string{"--crlf"}, 0, "banana\r\n"},
		{"compressed", "apple\nbanana\n", gzipped(t, "apple\n"), nil, 0, "banana\n"},
		{"of several filters", "apple\nbanana\n", "apple\n", []string{"-F", filter, "--label"}, 0, filter + "," + filter + "\tbanana\n"},
	} {
		args := append([]string{"check", "--allow", file(t, c.allow)}, c.args...)
		if strings.Contains(c.name, "several") {
			args = append(args, "-F", filter)
		} else {
			args = append(args, filter)
		}
		if code, out, err := command(c.stdin, args...); code != c.code || out != c.out || err != "" {
			t.Errorf("%s: exit %d, %q, %q; want %d, %q", c.name, code, out, err, c.code, c.out)
		}
	}
	// Exceptions that could not be read would be reported as hits.
	for _, allow := range []string{"missing", t.TempDir(), file(t, gzipped(t, count(1000))[:50])} {
		if code, out, err := command("apple\n", "check", "--allow", allow, filter); code != 2 || out != "" || strings.Count(err, "\n") != 1 {
			t.Errorf("exit %d, %q, %q", code, out, err)
		}
	}
	if code, out, _ := command("apple\n", "check", "--allow", "-", filter, file(t, "apple\nbanana\n")); code != 0 || out != "banana\n" {
		t.Errorf("from standard input: exit %d, %q", code, out)
	}
	for _, args := range [][]string{{filter}, {"--keys", "-", file(t, "x")}} {
		if code, _, err := command("apple\n", append([]string{"check", "--allow", "-"}, args...)...); code != 2 || !strings.Contains(err, "cannot be both") {
			t.Errorf("%v: exit %d, %q", args, code, err)
		}
	}
}

// A reader that goes away ends the command, without a word.
func TestAClosedPipeEndsQuietly(t *testing.T) {
	filter := built(t, "a\n")
	for _, args := range [][]string{{"check", filter}, {"check", "-c", filter}, {"audit", "--absent", "-", filter}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var errs bytes.Buffer
		code := run(args, streams{strings.NewReader(strings.Repeat("a\n", 100_000)), w, &errs})
		w.Close()
		if code != exitPipe || errs.Len() > 0 {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
	}
}
