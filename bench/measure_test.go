package main

import (
	"math"
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{
		{[]float64{7}, 7},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 100, 2}, 3},
	} {
		before := c.of[0]
		if got := median(c.of); got != c.want || c.of[0] != before {
			t.Errorf("median of %v is %g, want %g and the order kept", c.of, got, c.want)
		}
	}
}

// The machine halves its speed in the last two rounds; a is always twice b.
func TestRatioIsThatOfRounds(t *testing.T) {
	a := series{nsPerKey: []float64{2, 2, 4, 4}}
	b := series{nsPerKey: []float64{1, 1, 2, 2}}
	if got := ratio(a, b); got != 2 {
		t.Errorf("ratio %g, want 2", got)
	}
}

func TestMeasureTakesTurns(t *testing.T) {
	var order strings.Builder
	busy := make([]uint64, 1<<22) // longer than passTime, so that each runs once
	slow := func(name string) contender {
		return contender{name: name, keys: 10, pass: func() int {
			order.WriteString(name)
			for range 2 {
				for i := range busy {
					busy[i] += hashAt(uint64(i))
				}
			}
			return 4
		}}
	}
	all, err := measure(3, []contender{slow("a"), slow("b")})
	if err != nil {
		t.Fatal(err)
	}
	if got := order.String(); got != "abababab" { // the first of each only for its length
		t.Errorf("the order is %s", got)
	}
	for _, s := range all {
		if len(s.nsPerKey) != 3 || s.hits != 4 || s.nsPerKey[0] <= 0 {
			t.Errorf("%s: %d rounds, %d hits, %g ns", s.name, len(s.nsPerKey), s.hits, s.nsPerKey)
		}
	}
}

func TestMeasureFindsFalseNegatives(t *testing.T) {
	_, err := measure(1, []contender{{name: "forgetful", keys: 10, atLeast: 3, pass: func() int { return 2 }}})
	if err == nil || !strings.Contains(err.Error(), "forgetful finds 2 of 3") {
		t.Errorf("error %v", err)
	}
}

func TestRoundKeepsFourDigits(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 1.23456: 1.235, 123456: 123500, 0.000123456: 0.0001235, -9.99999: -10, math.Inf(1): 0,
	} {
		if got := round(x); got != want {
			t.Errorf("round(%g) is %g, want %g", x, got, want)
		}
	}
}
