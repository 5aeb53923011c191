package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/linebloom/linebloom/window"
)

// A Replay is middleware that refuses requests which repeat an earlier one:
//
//	200  or whatever the handler says: a request for the first time
//	409  the same request within the window after the one that was let through
//	413  a body above MaxBody
//
// A request is let through at most once, even if its handler fails. A first request
// is refused, by mistake, with the false positive rate of the window. Wrap what
// changes something; a GET may come twice.
type Replay struct {
	Window  *window.Sliding
	MaxBody int64 // bytes; a body is kept in memory until its request is done

	// Client tells clients apart, by their session for example. Without it the
	// same request from two clients is a repetition.
	Client func(*http.Request) string
}

// Wrap returns a handler that hands on to next what is not refused, with the whole
// body.
func (p *Replay) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, p.MaxBody))
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		client := ""
		if p.Client != nil {
			client = p.Client(r)
		}
		key := fingerprint(client, r, body)
		// Has does not prolong the window, so that who asks again and again is let
		// through some day. Of those who pass it together Seen chooses one.
		if p.Window.Has(key) || p.Window.Seen(key) {
			http.Error(w, "the request was made before", http.StatusConflict)
			return
		}
		again := r.WithContext(r.Context()) // handlers must not change r itself
		again.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, again)
	})
}
