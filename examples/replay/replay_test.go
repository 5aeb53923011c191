package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// A served handler echoes what it reads, behind the middleware.
type served struct {
	*Replay
	clock   clock
	handler http.Handler
}

func serve(t *testing.T) *served {
	t.Helper()
	s := new(served)
	replay, err := newReplay(s.clock.now)
	if err != nil {
		t.Fatal(err)
	}
	s.Replay = replay
	s.handler = replay.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(w, r.Body); err != nil {
			t.Error(err)
		}
	}))
	return s
}

// post sends a request at a time and returns the status.
func (s *served) post(second int64, target, body string) int {
	s.clock.seconds.Store(second)
	return s.send(httptest.NewRequest("POST", target, strings.NewReader(body)))
}

func (s *served) send(r *http.Request) int {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Code
}

func TestARepetitionIsRefusedWithinTheWindowAndNotAfterIt(t *testing.T) {
	s := serve(t)
	for _, step := range []struct {
		second int64
		want   int
	}{{0, 200}, {0, 409}, {1, 409}, {59, 409}, {60, 409}, {75, 200}, {76, 409}, {135, 409}, {151, 200}, {1000, 200}} {
		if got := s.post(step.second, "/a?b=c", "d"); got != step.want {
			t.Errorf("second %d: %d, want %d", step.second, got, step.want)
		}
	}
}

// Whenever the first request comes, and however often it is repeated, the window is
// that of the first: a minute, and a quarter of one more at most.
func TestRepetitionsDoNotProlongTheWindow(t *testing.T) {
	for start := range int64(60) {
		s := serve(t)
		if got := s.post(start, "/", ""); got != 200 {
			t.Fatalf("second %d: %d", start, got)
		}
		after := int64(1)
		for after <= 75 && s.post(start+after, "/", "") == 409 {
			after++
		}
		if after <= 60 || after > 75 {
			t.Errorf("a request of second %d is let through again after %d s", start, after)
		}
	}
}

func TestOtherRequestsAreOthers(t *testing.T) {
	s := serve(t)
	s.Client = func(r *http.Request) string { return r.Header.Get("Authorization") }
	request := func(client, method, target, body string) *http.Request {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		r.Header.Set("Authorization", client)
		return r
	}
	for _, r := range []*http.Request{
		request("ada", "POST", "/a/b?c=d&e=f", "g"),
		request("bob", "POST", "/a/b?c=d&e=f", "g"),
		request("adaP", "OST", "/a/b?c=d&e=f", "g"), // all bytes in the same order
		request("ada", "PUT", "/a/b?c=d&e=f", "g"),
		request("ada", "POST", "/a%2Fb?c=d&e=f", "g"),
		request("ada", "POST", "/a/?c=d&e=f", "g"),
		request("ada", "POST", "/a/b", "g"),
		request("ada", "POST", "/a/b?c=d", "g"),
		request("ada", "POST", "/a/b?c=f&e=d", "g"),
		request("ada", "POST", "/a/b?c=d%26e=f", "g"),
		request("ada", "POST", "/a/b?c=d&c=e&e=f", "g"),
		request("ada", "POST", "/a/b?c=e&c=d&e=f", "g"),
		request("ada", "POST", "/a/b?c=d;x&e=f", "g"), // cannot be parsed
		request("ada", "POST", "/a/b?c=d;y&e=f", "g"),
		request("ada", "POST", "/a/b?c=d&e=f", ""),
		request("ada", "POST", "/a/b?c=d&e=f", "gg"),
	} {
		again := r.Clone(t.Context())
		body, _ := io.ReadAll(r.Body)
		r.Body, again.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
		if got := s.send(r); got != 200 {
			t.Errorf("%s %s of %q with %q: %d", r.Method, r.URL, r.Header.Get("Authorization"), body, got)
		}
		if got := s.send(again); got != 409 {
			t.Errorf("%s %s of %q with %q once more: %d", r.Method, r.URL, r.Header.Get("Authorization"), body, got)
		}
	}
	if got := s.send(request("ada", "POST", "/a/b?e=f&c=d", "g")); got != 409 {
		t.Errorf("the first with its parameters in another order: %d", got)
	}
}

func TestTheHandlerReadsTheBody(t *testing.T) {
	s := serve(t)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	for _, n := range []int64{0, 1, 1000, s.MaxBody - 1, s.MaxBody, s.MaxBody + 1, 2 * s.MaxBody} {
		body := strings.Repeat("x", int(n))
		for _, reader := range []io.Reader{
			strings.NewReader(body),
			io.MultiReader(strings.NewReader(body)), // of a length that is not known: sent in chunks
		} {
			s.clock.seconds.Add(1000)
			answer, err := http.Post(server.URL, "text/plain", reader)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if n > s.MaxBody {
				if answer.StatusCode != 413 {
					t.Errorf("%d bytes: %d, want 413", n, answer.StatusCode)
				}
			} else if answer.StatusCode != 200 || string(got) != body {
				t.Errorf("%d bytes: %d, and the handler read %d", n, answer.StatusCode, len(got))
			}
		}
	}
}

func TestABodyThatBreaksOffIsNotRemembered(t *testing.T) {
	s := serve(t)
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("the line is cut")))
	if got := s.send(httptest.NewRequest("POST", "/", broken)); got != 400 {
		t.Errorf("a broken body: %d, want 400", got)
	}
	for _, body := range []string{"half", "half and half"} {
		if got := s.post(0, "/", body); got != 200 {
			t.Errorf("the body %q: %d, want 200", body, got)
		}
	}
}

func TestOneOfManyIsLetThrough(t *testing.T) {
	s := serve(t)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	for range 20 {
		s.clock.seconds.Add(1000)
		var let, refused atomic.Int32
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				answer, err := http.Post(server.URL+"/pay", "text/plain", strings.NewReader("5"))
				if err != nil {
					t.Error(err)
					return
				}
				defer answer.Body.Close()
				switch answer.StatusCode {
				case 200:
					let.Add(1)
				case 409:
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if let.Load() != 1 || refused.Load() != 15 {
			t.Errorf("of 16 requests %d are let through and %d refused", let.Load(), refused.Load())
		}
	}
}

func TestTheProgramRuns(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	var statuses []string
	for line := range strings.Lines(out.String()) {
		if len(line) > 81 {
			t.Errorf("more than 80 columns: %q", line)
		}
		if len(line) > 51 && line[3] == 's' {
			statuses = append(statuses, line[49:52])
		}
	}
	if got, want := strings.Join(statuses, " "), "200 409 409 200 413 409 200"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
