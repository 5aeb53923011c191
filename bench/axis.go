package main

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// An axis is logarithmic unless linear. The library draws linear axes only, and
// gets logarithms: it would put the label of one that it scales itself into the
// wrong place.
type axis struct {
	label  string
	linear bool
	sizes  bool // numbers are bytes, which are named
}

// place returns where on the axis a number is.
func (a axis) place(v float64) float64 {
	if a.linear {
		return v
	}
	return math.Log10(v)
}

// apply makes room for the data and sets the marks.
func (a axis) apply(to *plot.Axis) {
	switch {
	case a.linear:
		to.Tick.Marker = plot.ConstantTicks(evenTicks(to.Min, to.Max))
	case a.sizes:
		to.Tick.Marker = plot.ConstantTicks(sizeTicks(to.Min, to.Max))
	default:
		to.Min -= 0.1
		to.Max += 0.1
		to.Tick.Marker = plot.ConstantTicks(decadeTicks(to.Min, to.Max))
	}
}

// sizeTicks marks powers of two and names those of four.
func sizeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := range 63 {
		at := float64(e) * math.Log10(2)
		if at < low-1e-9 || at > high+1e-9 {
			continue
		}
		t := plot.Tick{Value: at}
		if e%2 == 0 {
			t.Label = sizeName(1 << e)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// decadeTicks marks every digit of the powers of ten. It names 1, 2 and 5, only 1
// where the powers are many, and most digits where there is not even one power.
func decadeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for digit := 1; digit < 10; digit++ {
			at := float64(e) + math.Log10(float64(digit))
			if at < low || at > high {
				continue
			}
			t := plot.Tick{Value: at}
			named := digit == 1
			switch {
			case high-low < 1:
				named = digit != 7 && digit != 9 // the marks are close there
			case high-low < 3.5:
				named = digit == 1 || digit == 2 || digit == 5
			}
			if named {
				v, _ := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(e), 64)
				t.Label = strconv.FormatFloat(v, 'f', -1, 64)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func evenTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 2 * math.Ceil(low/2); v <= high; v += 2 {
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.Itoa(int(v))})
	}
	return ticks
}
