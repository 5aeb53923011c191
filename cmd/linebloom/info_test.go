package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linebloom/linebloom/asm"
	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/filterfile"
)

// infoJSON returns what info --json says of a file.
func infoJSON(t *testing.T, name string, code int) map[string]any {
	t.Helper()
	got, out, err := command("", "info", "--json", name)
	var facts map[string]any
	if e := json.Unmarshal([]byte(out), &facts); e != nil || got != code || (err == "") != (code == 0) {
		t.Fatalf("exit %d, %v, %q\n%s", got, e, err, out)
	}
	return facts
}

func TestInfoTellsTheTruth(t *testing.T) {
	const n = 10_000
	name := built(t, count(n), "-n", "20000", "-p", "0.01", "--seed", "0xffffffffffffffff")
	f := opened(t, name)
	p := f.Params()
	size, _ := os.Stat(name)
	facts := infoJSON(t, name, 0)
	even := evennessOf(fillOf(f.View()), p.K, f.EstimateCount()/float64(p.Blocks))
	for key, want := range map[string]any{
		"block_variance_ratio": even.ratio, "block_variance_error": even.err, "block_verdict": "as random keys fill them",
		"file": name, "file_bytes": float64(size.Size()), "in_use": false,
		"blocks": float64(p.Blocks), "filter_bytes": float64(p.Bytes()), "k": float64(p.K),
		"seed": "0xffffffffffffffff", "capacity": 20_000., "bits_per_key": 8 * float64(p.Bytes()) / 20_000,
		"target_rate": 0.01, "predicted_rate": p.FPRate(20_000), "current_rate": f.EstimateFPRate(),
		"fill_ratio": f.FillRatio(), "estimated_count": float64(uint64(f.EstimateCount() + 0.5)),
		"count": float64(f.Header().Count), "count_state": "estimate",
		"metadata_bytes": 0., "kernel": asm.Chosen(),
	} {
		if facts[key] != want {
			t.Errorf("%s is %v, want %v", key, facts[key], want)
		}
		delete(facts, key)
	}
	if len(facts) > 0 {
		t.Errorf("untested facts: %v", facts)
	}

	code, out, err := command("", "info", name)
	if code != 0 || err != "" {
		t.Fatalf("exit %d, %q", code, err)
	}
	for _, want := range []string{
		"state           closed\n", fmt.Sprintf("k               %d\n", p.K), "seed            0xffffffffffffffff\n",
		"capacity        20,000\n", "target rate     0.01\n", fmt.Sprintf("predicted rate  %.4g at capacity\n", p.FPRate(20_000)),
		fmt.Sprintf("current rate    %.4g\n", f.EstimateFPRate()), "estimated       about ", ", estimate\n", "kernel          " + asm.Chosen() + "\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in the output:\n%s", want, out)
		}
	}
	fits(t, "info", strings.ReplaceAll(out, name, "name"))
}

func TestInfoKnowsWhatItDoesNotKnow(t *testing.T) {
	f, _ := blocked.NewFromParams(blocked.Params{Blocks: 2, K: 8})
	for i := range uint64(10_000) {
		f.AddUint64(i)
	}
	name := filepath.Join(t.TempDir(), "full")
	if err := filterfile.Save(name, f, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	facts := infoJSON(t, name, 0)
	for _, key := range []string{"capacity", "bits_per_key", "target_rate", "predicted_rate", "estimated_count", "count"} {
		if value, ok := facts[key]; value != nil || !ok {
			t.Errorf("%s is %v, want null", key, value)
		}
	}
	if facts["current_rate"] != 1. || facts["metadata_bytes"] != 100. || facts["count_state"] != "indeterminate" {
		t.Errorf("%v", facts)
	}
	if code, out, _ := command("", "info", name); code != 0 || strings.Count(out, "not known\n") != 6 {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestInfoOfAFileInUse(t *testing.T) {
	name := built(t, "a\n", "-n", "100")
	s := share(t, name)
	s.AddString("b")
	facts := infoJSON(t, name, 0)
	if facts["in_use"] != true || facts["estimated_count"] != 2. {
		t.Errorf("%v", facts)
	}
	if _, out, _ := command("", "info", name); !strings.Contains(out, "state           open for adding, or not closed") {
		t.Errorf("%s", out)
	}
}

// The header of a damaged file tells how to make it again.
func TestInfoOfADamagedFile(t *testing.T) {
	name := built(t, count(100_000))
	damage(t, name, 5000)
	facts := infoJSON(t, name, 1)
	if facts["capacity"] != 100_000. || !strings.Contains(facts["damage"].(string), "1 of 3 chunks") || facts["current_rate"].(float64) < 0.3 {
		t.Errorf("%v", facts)
	}
	code, out, err := command("", "info", name)
	if code != 1 || !strings.Contains(out, "state           damaged\n") || !strings.Contains(err, "blocks 0 to 1023 are damaged") {
		t.Errorf("exit %d, %q\n%s", code, err, out)
	}
}

func TestInfoBadUse(t *testing.T) {
	name := built(t, "a\n")
	for _, c := range []struct {
		args []string
		err  string
	}{
		{nil, "name one filter file"},
		{[]string{name, name}, "name one filter file"},
		{[]string{"-"}, "cannot come from standard input"},
		{[]string{t.TempDir()}, "is a directory"},
		{[]string{os.DevNull}, "is not a regular file"},
		{[]string{file(t, "text\n")}, "is not a filter file"},
		{[]string{file(t, "")}, "corrupt filter"},
		{[]string{filepath.Join(t.TempDir(), "missing")}, "no such file"},
	} {
		code, out, err := command("", append([]string{"info"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(err, c.err) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, out, err, c.err)
		}
	}
}
