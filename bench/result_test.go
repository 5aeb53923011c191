package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestResultRoundTrips(t *testing.T) {
	rate, allocs, cpu := 0.0098, 0.0, 1
	want := result{Machine: describe("test"), Experiment: "x", About: "a test", Rounds: 3, Seconds: 1.5,
		Measurements: []measurement{{Contender: "one", Bytes: 1 << 14, Keys: 13104, Stream: miss, NsPerKey: 1.25,
			Ratio: 1, WrongRate: &rate, AllocsPerCall: &allocs, Rounds: []float64{1.2, 1.25, 1.3}}}}
	want.Machine.PinnedTo = &cpu
	want.judge("fast enough", 9.25, 9, false)
	want.judge("slow enough", 1.6, 1.5, true)
	want.skip("large enough", 2, false, "too large")
	if !want.Verdicts[0].OK || want.Verdicts[1].OK || want.Verdicts[2].OK {
		t.Errorf("verdicts: %+v", want.Verdicts)
	}
	dir := t.TempDir()
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "x.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got result
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
