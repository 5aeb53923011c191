package main

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// plotFill draws how many blocks have how many bits set, and how many would if
// random keys had filled them: as many as there are, and as many as the filter was
// made for, if that is known.
func plotFill(path, name string, f *blockFill, k int, load, capacityLoad float64) error {
	p := newPlot(fmt.Sprintf("How full the blocks of %s are", filepath.Base(name)),
		fmt.Sprintf("bits set in a block, of %d", blockBits), "blocks, of "+thousands(f.blocks))
	m := newFillModel(k)
	now := m.distribution(load)
	full := now
	if capacityLoad > 0 {
		full = m.distribution(capacityLoad)
	}
	first, last, width := f.bins(now, full)
	bins := func(value func(set int) float64) (points plotter.XYs) {
		for low := first; low <= last; low += width {
			sum := 0.0
			for set := low; set < low+width && set <= blockBits; set++ {
				sum += value(set)
			}
			points = append(points, plotter.XY{X: float64(low) + float64(width-1)/2, Y: sum})
		}
		return points
	}
	measured, err := plotter.NewLine(bins(func(set int) float64 { return float64(f.with[set]) }))
	if err != nil {
		return err
	}
	measured.StepStyle, measured.Color, measured.FillColor, measured.Width = plotter.MidStep, red, pale, vg.Points(1.5)
	p.Add(measured)
	p.Legend.Add("this filter", measured)
	expected := func(of [blockBits + 1]float64) plotter.XYs {
		return bins(func(set int) float64 { return of[set] * float64(f.blocks) })
	}
	if err := addLine(p, fmt.Sprintf("random keys, %.3g per block as here", load), expected(now), black, true); err != nil {
		return err
	}
	if capacityLoad > 0 {
		if err := addLine(p, fmt.Sprintf("random keys, %.3g per block as at capacity", capacityLoad), expected(full), blue, true); err != nil {
			return err
		}
	}
	p.Y.Min = 0
	p.Y.Max *= 1.35 // the legend is above the data
	p.X.Tick.Marker, p.Y.Tick.Marker = wholeTicks{}, wholeTicks{}
	return savePlot(p, path)
}

// bins returns the first and last number of bits to show, and how many numbers are
// one bin.
func (f *blockFill) bins(models ...[blockBits + 1]float64) (first, last, width int) {
	first, last = blockBits, 0
	for set := range f.with {
		shown := f.with[set] > 0
		for _, m := range models {
			shown = shown || m[set] > 1e-4
		}
		if shown {
			first, last = min(first, set), max(last, set)
		}
	}
	first, last = max(first-2, 0), min(last+2, blockBits)
	return first, last, (last-first)/100 + 1
}

// wholeTicks are those of counts.
type wholeTicks struct{}

func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for _, t := range (plot.DefaultTicks{}).Ticks(low, high) {
		if t.Label != "" && t.Value == float64(int64(t.Value)) {
			t.Label = thousands(int(t.Value))
			ticks = append(ticks, t)
		}
	}
	return ticks
}
