package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart is a set of named lines.
type chart struct {
	title string
	x, y  axis
	lines []line
}

type line struct {
	name   string
	points plotter.XYs
}

// dashed lines are models and limits, not things that one can use.
func (l line) dashed() bool {
	return strings.Contains(l.name, "limit") || strings.Contains(l.name, "model")
}

func (c *chart) add(name string, x, y float64) {
	x, y = c.x.place(x), c.y.place(y)
	for i := range c.lines {
		if c.lines[i].name == name {
			c.lines[i].points = append(c.lines[i].points, plotter.XY{X: x, Y: y})
			return
		}
	}
	c.lines = append(c.lines, line{name, plotter.XYs{{X: x, Y: y}}})
}

// looks gives every contender the same look in every chart. The colours stay
// apart for most of the colour blind, and shapes tell the rest.
var looks = map[string]struct {
	rgb   uint32
	shape draw.GlyphDrawer
}{
	"linebloom":                      {0xD1170C, draw.CircleGlyph{}},
	"linebloom HasHashes":            {0xD1170C, draw.CircleGlyph{}},
	"linebloom HasHash":              {0xF28522, draw.RingGlyph{}},
	"linebloom AddHashes":            {0xD1170C, draw.CircleGlyph{}},
	"linebloom AddHashesParallel":    {0xF28522, draw.RingGlyph{}},
	"linebloom, all CPUs":            {0xF28522, draw.RingGlyph{}},
	"linebloom, model":               {0x000000, nil},
	"blobloom":                       {0x1F5FBF, draw.BoxGlyph{}},
	"parquet-go":                     {0x0E8A5A, draw.PyramidGlyph{}},
	"bits-and-blooms":                {0x7A3FA0, draw.TriangleGlyph{}},
	"pebble":                         {0x2AA7C9, draw.SquareGlyph{}},
	"binary fuse 8":                  {0x8C6D1F, draw.PlusGlyph{}},
	"cuckoofilter":                   {0xC2479B, draw.CrossGlyph{}},
	"Go map":                         {0x555555, draw.BoxGlyph{}},
	"limit: touch lines":             {0x999999, nil},
	"limit: touch lines, prefetched": {0x000000, nil},
	"classic filter, model":          {0x999999, nil},
}

// The pictures are as wide as a page of text, with the legend beside the data.
const (
	chartWidth  = 9.2 * vg.Inch
	chartHeight = 4.6 * vg.Inch
	legendWidth = 2.7 * vg.Inch
	margin      = 10 // points
)

func (c *chart) write(path string) error {
	canvas := vgsvg.New(chartWidth, chartHeight)
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	// Whoever lacks the first face gets one that is much like it.
	text := bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
	return os.WriteFile(path, text, 0o666)
}

func (c *chart) draw(canvas draw.Canvas) error {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	p := plot.New()
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding = vg.Points(4)
	legend.ThumbnailWidth = vg.Points(26)
	sans(&legend.TextStyle.Font, 10)

	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x.label, c.y.label
	sans(&p.Title.TextStyle.Font, 13)
	p.Title.Padding = vg.Points(8)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		sans(&a.Label.TextStyle.Font, 11)
		sans(&a.Tick.Label.Font, 10)
		a.Label.Padding = vg.Points(4)
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xE4}, color.Gray{0xE4}
	p.Add(grid)

	for _, l := range c.lines {
		drawn, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		look := looks[l.name]
		drawn.Color = color.RGBA{byte(look.rgb >> 16), byte(look.rgb >> 8), byte(look.rgb), 0xFF}
		drawn.Width = vg.Points(1.5)
		if strings.HasPrefix(l.name, "linebloom") {
			drawn.Width = vg.Points(2.5)
		}
		if l.dashed() {
			drawn.Width = vg.Points(1.5)
			drawn.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		p.Add(drawn)
		if look.shape == nil {
			legend.Add(l.name, drawn)
			continue
		}
		points.Shape, points.Color, points.Radius = look.shape, drawn.Color, vg.Points(3.5)
		p.Add(points)
		legend.Add(l.name, drawn, points)
	}
	c.x.apply(&p.X)
	c.y.apply(&p.Y)

	p.Draw(draw.Crop(canvas, margin, -legendWidth, margin, -margin))
	left := canvas.Max.X - legendWidth + margin
	legend.Draw(draw.Crop(canvas, left-canvas.Min.X, -margin, margin, -4*margin))
	return nil
}

// sans chooses a face that the viewer surely has something like.
func sans(f *font.Font, points float64) {
	*f = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(points))
}
