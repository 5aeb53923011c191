package main

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The bits per key that are drawn.
const plotFromBits, plotToBits = 4, 40

// plotRates draws the rates of both kinds of filter by bits per key, and the
// answers if there are any.
func plotRates(path string, a *answers) error {
	p := newPlot("False positives of a filter with its best k", "bits per key", "false positive rate")
	var classic, ours plotter.XYs
	for bits := float64(plotFromBits); bits <= plotToBits; bits += 0.5 {
		classic = append(classic, plotter.XY{X: bits, Y: math.Log10(classicRate(bits, classicBestK(bits)))})
		_, rate := bestBlocked(bits)
		ours = append(ours, plotter.XY{X: bits, Y: math.Log10(rate)})
	}
	if err := addLine(p, fmt.Sprintf("linebloom, k up to %d", maxBlockedK), ours, red, false); err != nil {
		return err
	}
	if err := addLine(p, "classic filter", classic, blue, true); err != nil {
		return err
	}
	if a != nil {
		if err := addAnswers(p, a); err != nil {
			return err
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(everyTick(p.X.Min, p.X.Max, 4))
	p.Y.Tick.Marker = plot.ConstantTicks(decadeTicks(p.Y.Min, p.Y.Max))
	return savePlot(p, path)
}

// addAnswers marks the designs that were asked for.
func addAnswers(p *plot.Plot, a *answers) error {
	mark := func(d design, name string, shape draw.GlyphDrawer) error {
		at := plotter.XY{X: d.BitsPerKey, Y: math.Log10(d.Rate)}
		if math.IsInf(at.X, 0) || math.IsInf(at.Y, 0) {
			return nil // no keys, or no wrong answers
		}
		s, err := plotter.NewScatter(plotter.XYs{at})
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: black, Radius: vg.Points(4), Shape: shape}
		p.Add(s)
		p.Legend.Add(fmt.Sprintf("%s: %.2f bits, k = %d, p = %.3g", name, d.BitsPerKey, d.K, d.Rate), s)
		return nil
	}
	if a.Blocked != nil {
		if err := mark(*a.Blocked, "linebloom", draw.CircleGlyph{}); err != nil {
			return err
		}
	}
	return mark(a.Classic, "classic", draw.BoxGlyph{})
}

// everyTick marks and names every multiple of step.
func everyTick(low, high, step float64) (ticks []plot.Tick) {
	for v := step * math.Ceil(low/step); v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
	}
	return ticks
}

// decadeTicks names the powers of ten of an axis of logarithms and marks the
// digits between them.
func decadeTicks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(low); e <= high; e++ {
		for digit := 1.0; digit < 10; digit++ {
			at := e + math.Log10(digit)
			if at < low || at > high {
				continue
			}
			t := plot.Tick{Value: at}
			if digit == 1 {
				t.Label = fmt.Sprintf("1e%g", e)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}
