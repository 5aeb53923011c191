package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"
)

// An interruption is the error of a command that a signal has stopped.
type interruption struct{ number int }

func (i interruption) Error() string { return "interrupted" }

// code returns the exit code that shells give to a command that the signal ends.
func (i interruption) code() int { return 128 + i.number }

// stopOnSignal returns a context that ends when the process is asked to stop,
// with an interruption as its cause. A command that has something to tidy up
// uses it, and calls the function when it has done so.
func stopOnSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	for _, s := range stopSignals {
		if !signal.Ignored(s) { // as nohup does
			signal.Notify(signals, s)
		}
	}
	go func() {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(interruption{signalNumber(s)})
			// Tidying up may take long, so a later signal ends the process. One
			// that comes at once is the same again, passed on by a parent.
			time.Sleep(time.Second)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// wait returns what f returns, or the cause of the context's end if that comes
// first. f then goes on by itself.
func wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
	var none T
	if ctx.Done() == nil {
		return f()
	}
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// A stoppable is a reader that does not wait longer than its context lives. What
// it was given to read into must not be used when it has stopped.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	return wait(s.ctx, func() (int, error) { return s.r.Read(p) })
}
