package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows on a terminal how far a long job is. It shows nothing in the
// first second, and nothing at all where standard error is not a terminal.
type progress struct {
	what  string
	total int64 // -1: not known
	done  int64
	start time.Time
	out   io.Writer // nil: no terminal
	bar   *progressbar.ProgressBar
}

func newProgress(std streams, what string, total int64) *progress {
	p := &progress{what: what, total: total, start: time.Now()}
	if f, ok := std.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// add tells that n more units are done.
func (p *progress) add(n int) {
	p.done += int64(n)
	if p.out == nil {
		return
	}
	if p.bar == nil {
		if time.Since(p.start) < time.Second {
			return
		}
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription(p.what),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionShowCount(),
		)
	}
	p.bar.Set64(p.done)
}

// finish removes the bar.
func (p *progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
