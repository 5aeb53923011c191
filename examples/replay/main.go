// Command replay runs an HTTP server on this machine that refuses a request which
// it has let through within the last minute, and sends it some. Its clock is moved by
// hand, so that the minute does not pass.
package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linebloom/linebloom/blocked"
	"github.com/linebloom/linebloom/window"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// A clock is moved by hand.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(c.seconds.Load(), 0) }

// newReplay returns middleware for a minute, 100,000 requests in it and bodies of
// 64 KiB. One request in a million is refused by mistake. With five generations
// a request is remembered for a quarter of a minute more at most.
func newReplay(now func() time.Time) (*Replay, error) {
	w, err := window.NewSliding(window.Config{
		Duration:    time.Minute,
		Capacity:    100_000,
		FPRate:      1e-6,
		Generations: 5,
		Clock:       now,
	}, blocked.WithSeed(rand.Uint64())) // strangers choose the requests
	if err != nil {
		return nil, err
	}
	return &Replay{Window: w, MaxBody: 64 << 10}, nil
}

// order is the handler behind the middleware: it says how much it has read.
func order(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "ordered, by %d bytes", n)
}

func run(out io.Writer) error {
	var c clock
	replay, err := newReplay(c.now)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: replay.Wrap(http.HandlerFunc(order))}
	defer server.Close()
	go server.Serve(listener)

	fmt.Fprintf(out, "remembering 100000 requests for a minute takes %.1f MB\n\n", float64(replay.Window.Bytes())/1e6)
	const two = `{"cups": 2}`
	for _, step := range []struct {
		at          int64
		query, body string
		what        string
	}{
		{0, "tea=green&to=ada", two, "an order"},
		{1, "tea=green&to=ada", two, "the same"},
		{1, "to=ada&tea=green", two, "the same, its parameters in another order"},
		{1, "tea=green&to=ada", `{"cups": 3}`, "another body"},
		{1, "tea=green&to=ada", strings.Repeat("cup ", 1<<15), "a body of 128 KiB"},
		{60, "tea=green&to=ada", two, "the first once more"},
		{76, "tea=green&to=ada", two, "the first, after the window"},
	} {
		c.seconds.Store(step.at)
		answer, err := http.Post(fmt.Sprintf("http://%s/orders?%s", listener.Addr(), step.query),
			"application/json", strings.NewReader(step.body))
		if err != nil {
			return err
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%2d s  %-42s %d %s\n", step.at, step.what, answer.StatusCode, strings.TrimSpace(string(text)))
	}
	return nil
}
