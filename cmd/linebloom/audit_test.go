package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The exceptions that audit lists are all that check needs to be right.
func TestAuditListsTheExceptions(t *testing.T) {
	keys := strings.ReplaceAll(count(5000), "\n", " is bad\n")
	filter := built(t, keys, "-p", "0.05")
	good := file(t, count(20_000))
	code, exceptions, err := command("", "audit", filter, "--absent", good)
	n := strings.Count(exceptions, "\n")
	if code != 0 || n < 700 || n > 1300 {
		t.Fatalf("exit %d, %d exceptions", code, n)
	}
	want := fmt.Sprintf("%s: %s of 20,000 lines are wrong: rate %.3g +- ", filter, thousands(n), float64(n)/20_000)
	if !strings.HasPrefix(err, want) || strings.Count(err, "\n") != 1 {
		t.Errorf("%q, want %q", err, want)
	}
	if _, found, _ := command("", "check", filter, good); found != exceptions {
		t.Error("the exceptions are not the lines that check finds")
	}
	allow := file(t, exceptions)
	if code, out, _ := command("", "check", "--allow", allow, filter, good); code != 1 || out != "" {
		t.Errorf("with exceptions: exit %d, %d bytes", code, len(out))
	}
	if code, out, _ := command(keys, "check", "-c", "--allow", allow, filter); code != 0 || out != "5000\n" {
		t.Errorf("keys with exceptions: exit %d, %q", code, out)
	}
}

func TestAuditJSON(t *testing.T) {
	filter := built(t, count(5000), "-p", "0.05")
	good := file(t, strings.ReplaceAll(count(20_000), "\n", "x\n"))
	code, out, err := command("", "audit", "--json", filter, "--absent", good)
	var v map[string]any
	if e := json.Unmarshal([]byte(out), &v); e != nil || code != 0 || err != "" {
		t.Fatalf("exit %d, %v, %q", code, e, err)
	}
	rate := opened(t, filter).EstimateFPRate()
	measured := v["measured_rate"].(float64)
	if v["file"] != filter || v["lines"] != 20_000. || v["wrong"] != measured*20_000 || v["predicted_rate"] != rate ||
		v["more_than_chance"] != false || math.Abs(measured-rate) > 5*v["standard_error"].(float64) || len(v) != 7 {
		t.Errorf("%v", v)
	}
}

func TestAuditTellsOfKeys(t *testing.T) {
	filter := built(t, count(1000), "-p", "1e-4")
	code, out, err := command("", "audit", filter, "--absent", file(t, count(500)))
	if code != 0 || out != count(500) || !strings.Contains(err, "some of them may be keys") || strings.Count(err, "\n") != 2 {
		t.Errorf("exit %d, %d bytes, %q", code, len(out), err)
	}
}

func TestAuditExitCodes(t *testing.T) {
	filter := built(t, "apple\nbanana\n", "-p", "1e-8")
	empty := built(t, "")
	bad := built(t, count(5000))
	damage(t, bad, 5000)
	good := file(t, "fig\n")
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"none", "", []string{filter, "--absent", good}, 1, "", ": 0 of 1 lines are wrong: rate 0 +- "},
		{"some", "apple\n", []string{filter, "--absent", "-"}, 0, "apple\n", ": 1 of 1 lines"},
		{"quiet", "apple\n", []string{"-q", filter, "--absent", "-"}, 0, "apple\n", ""},
		{"several", "apple\n", []string{filter, "--absent", good, "--absent", "-"}, 0, "apple\n", ": 1 of 2 lines"},
		{"nothing", "", []string{filter, "--absent", "-"}, 1, "", "there are no lines"},
		{"an empty filter", "a\n", []string{empty, "--absent", "-"}, 1, "", "expected 0"},
		{"fields", "1,apple\n2,fig\n", []string{"-f2", "-t,", filter, "--absent", "-"}, 0, "apple\n", ": 1 of 2 lines"},
		{"NUL", "apple\x00fig\x00", []string{"-0", filter, "--absent", "-"}, 0, "apple\x00", ": 1 of 2 lines"},
		{"compressed", gzipped(t, "apple\n"), []string{filter, "--absent", "-"}, 0, "apple\n", ": 1 of 1 lines"},
		{"missing in the middle", "", []string{filter, "--absent", good, "--absent", "missing", "--absent", good}, 2, "", "no such file"},
		{"no filter", "", nil, 2, "", "name one filter file"},
		{"no lines", "", []string{filter}, 2, "", "--absent GOOD"},
		{"text for a filter", "", []string{good, "--absent", filter}, 2, "", "is not a filter file"},
		{"the filter for lines", "", []string{filter, "--absent", filter}, 2, "", "is the filter and an input too"},
		{"a damaged filter", "", []string{bad, "--absent", good}, 2, "", "--degraded uses what is whole"},
		{"a damaged filter, used", "", []string{"--degraded", bad, "--absent", good}, 0, "fig\n", "1 of 1 lines"},
		{"a missing filter", "", []string{"missing", "--absent", good}, 2, "", "no such file"},
	} {
		code, out, err := command(c.stdin, append([]string{"audit"}, c.args...)...)
		if code != c.code || out != c.out || !strings.Contains(err, c.err) || c.err == "" && err != "" {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
	}
}

func TestAuditOfAFilterInUse(t *testing.T) {
	filter := built(t, "a\n", "-n", "100", "-p", "1e-8")
	s := share(t, filter)
	s.AddString("b")
	if code, _, err := command("b\n", "audit", filter, "--absent", "-"); code != 2 || !strings.Contains(err, "--in-use uses it unverified") {
		t.Errorf("exit %d, %q", code, err)
	}
	if code, out, _ := command("b\nc\n", "audit", "--in-use", filter, "--absent", "-"); code != 0 || out != "b\n" {
		t.Errorf("exit %d, %q", code, out)
	}
}

// testdata returns a file of the tests of foreign filters.
func testdata(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("internal", "foreign", "testdata", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestForeignFiltersAreAskedAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"DCSO", "apple\nmike\nlast\n", []string{"check", testdata(t, "tiny.bloom")}, 0, "apple\nlast\n", ""},
		{"DCSO in gzip", "apple\nmike\n\n", []string{"check", testdata(t, "tiny.bloom.gz")}, 0, "apple\n\n", ""},
		{"pybloomfiltermmap", "mike\nMIKE\n", []string{"check", "--hash", "djb", testdata(t, "mike.b64")}, 0, "MIKE\n", ""},
		{"the wrong hash", "mike\nMIKE\n", []string{"check", "--hash", "md5", testdata(t, "mike.b64")}, 1, "", ""},
		{"no hash", "MIKE\n", []string{"check", testdata(t, "mike.b64")}, 2, "", "say --hash djb|md5|superfast|sha512|murmur32|murmur64|xxh64, or let linebloom import --probe"},
		{"an unknown hash", "MIKE\n", []string{"check", "--hash", "crc", testdata(t, "mike.b64")}, 2, "", "unknown hash"},
		{"a hash for DCSO", "MIKE\n", []string{"check", "--hash", "djb", testdata(t, "tiny.bloom")}, 2, "", "filled with the hash fnv1"},
		{"several", "apple\nMIKE\nfig\n", []string{"check", "--label", "-F", testdata(t, "tiny.bloom"), "-F", built(t, "fig\n", "-p", "1e-8")}, 0, testdata(t, "tiny.bloom") + "\tapple\n", ""},
		{"audit", "apple\nmike\n", []string{"audit", "-q", "--absent", "-", testdata(t, "tiny.bloom")}, 0, "apple\n", ""},
		{"audit with a hash", "apple\nmike\n", []string{"audit", "-q", "--absent", "-", "--hash", "djb", testdata(t, "fruit.b64")}, 0, "apple\n", "some of them"},
		{"damaged", "a\n", []string{"check", file(t, "MBITARRAY")}, 2, "", "it ends within the header"},
	} {
		code, out, err := command(c.stdin, c.args...)
		if code != c.code || !strings.HasPrefix(out, c.out) || c.out == "" && out != "" || !strings.Contains(err, c.err) && c.name != "audit with a hash" || strings.Count(err, "\n") > 1 {
			t.Errorf("%s: exit %d, out %q, err %q; want %d, %q, %q", c.name, code, out, err, c.code, c.out, c.err)
		}
	}
}
