package main

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"io"
	"strings"

	"github.com/linebloom/linebloom/internal/atomicfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours stay apart for most of the colour blind. The ground is white, so that a
// picture looks the same on a dark page.
var (
	red   = color.RGBA{0xD1, 0x17, 0x0C, 0xFF}
	blue  = color.RGBA{0x1F, 0x5F, 0xBF, 0xFF}
	black = color.RGBA{0, 0, 0, 0xFF}
	pale  = color.RGBA{0xF3, 0xB8, 0xB3, 0xFF}
)

// The size of pictures, as wide as a page of text.
const (
	plotWidth  = 7.5 * vg.Inch
	plotHeight = 4.4 * vg.Inch
	plotMargin = 10 // points
)

// newPlot returns an empty picture with a grid and a legend in its upper half.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	sans(&p.Title.TextStyle.Font, 13)
	p.Title.Padding = vg.Points(8)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		sans(&a.Label.TextStyle.Font, 11)
		sans(&a.Tick.Label.Font, 10)
		a.Label.Padding = vg.Points(4)
	}
	sans(&p.Legend.TextStyle.Font, 10)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(3)
	p.Legend.XOffs, p.Legend.YOffs = 2.6*vg.Inch, -vg.Points(4) // not to the right: faces differ in width
	p.Legend.ThumbnailWidth = vg.Points(26)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xE4}, color.Gray{0xE4}
	p.Add(grid)
	return p
}

// sans chooses a face that the viewer surely has something like.
func sans(f *font.Font, points float64) {
	*f = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(points))
}

// addLine draws a line with a name in the legend.
func addLine(p *plot.Plot, name string, points plotter.XYs, c color.Color, dashed bool) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	l.Color, l.Width = c, vg.Points(2)
	if dashed {
		l.Width, l.Dashes = vg.Points(1.5), []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(l)
	p.Legend.Add(name, l)
	return nil
}

// checkPlotName refuses names of pictures of other kinds before anything is done.
func checkPlotName(path string) error {
	if path != "" && !strings.HasSuffix(path, ".svg") {
		return fmt.Errorf("--plot draws SVG; call the file %s.svg or the like", path)
	}
	return nil
}

// savePlot draws a picture into a file, which is whole or not there whatever
// happens.
func savePlot(p *plot.Plot, path string) error {
	canvas := vgsvg.New(plotWidth, plotHeight)
	c := draw.New(canvas)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	p.Draw(draw.Crop(c, plotMargin, -plotMargin, plotMargin, -plotMargin))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	// Whoever lacks the first face gets one that is much like it.
	text := bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))

	ctx, stop := stopOnSignal(context.Background())
	defer stop()
	err := atomicfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}
