package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	goredis "github.com/redis/go-redis/v9"
)

// A world is filters of all kinds, each with an exact set of the keys that it must
// know, and a random sequence of operations on them. Operations that keep the keys,
// such as saving and opening, replace a filter by what came back.
type world struct {
	t        *testing.T
	r        *rand.Rand
	dir      string
	now      time.Time
	redis    *goredis.Client // nil: there is no server
	subjects []subject
	trace    []string // the last operations

	wrong, asked int // about keys that are in no set
}

// A subject is a filter of some kind with its exact set.
type subject interface {
	// step does an operation at random and says what it was.
	step(w *world) string
	// members returns the keys that the filter must know.
	members() *set
	// has asks for keys, one by one or as a batch.
	has(w *world, keys []uint64) []bool
}

// operations is how many a test does: LINEBLOOM_OPERATIONS, or a hundred thousand.
func operations(t *testing.T) int {
	text := os.Getenv("LINEBLOOM_OPERATIONS")
	if text == "" {
		if testing.Short() || raceDetector {
			return 5_000
		}
		return 100_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("LINEBLOOM_OPERATIONS is %q, want a number", text)
	}
	return n
}

// seed is that of the sequence: LINEBLOOM_SEED, or another for each run.
func seed(t *testing.T) uint64 {
	text := os.Getenv("LINEBLOOM_SEED")
	if text == "" {
		return rand.Uint64()
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		t.Fatalf("LINEBLOOM_SEED is %q, want a number", text)
	}
	return n
}

// Whatever is done to filters, and in whatever order, no key is ever missed, and
// others are reported as seldom as they should be.
func TestMetamorphic(t *testing.T) {
	n, s := operations(t), seed(t)
	w := &world{t: t, r: rand.New(rand.NewPCG(s, 0)), dir: t.TempDir(), now: time.Unix(1e9, 0)}
	w.redis = redisClient(t)
	w.subjects = []subject{
		newPlain(w), newPlain(w), newCounting(w), newChain(w), newSliding(w), newShared(w),
	}
	for i := range n {
		x := w.subjects[w.r.IntN(len(w.subjects))]
		w.trace = append(w.trace, fmt.Sprintf("%T: %s", x, x.step(w)))
		if len(w.trace) > 20 {
			w.trace = w.trace[1:]
		}
		w.check(x)
		if t.Failed() {
			t.Fatalf("operation %d with LINEBLOOM_SEED=%#x, after\n%s", i, s, strings.Join(w.trace, "\n"))
		}
	}
	for _, x := range w.subjects {
		w.mustHave(x, x.members().keys)
	}
	rate := float64(w.wrong) / float64(w.asked)
	t.Logf("%d operations, seed %#x: none of the keys was ever missed; %d of %d others were reported, %.2g",
		n, s, w.wrong, w.asked, rate)
	if rate > 2*targetRate {
		t.Errorf("a rate of %.3g, want at most %g", rate, targetRate)
	}
}

// targetRate is the rate that all filters are made for.
const targetRate = 0.01

// check asks for some keys that must be there and some that are not.
func (w *world) check(x subject) {
	w.mustHave(x, x.members().some(w.r, 16))
	var absent [16]uint64
	for i := range absent {
		absent[i] = w.r.Uint64() | 1<<63 // members are below
	}
	for _, hit := range x.has(w, absent[:]) {
		w.asked++
		if hit {
			w.wrong++
		}
	}
}

func (w *world) mustHave(x subject, keys []uint64) {
	for i, hit := range x.has(w, keys) {
		if !hit {
			w.t.Errorf("%T says no for key %#x, which is there", x, keys[i])
			return
		}
	}
}

// must ends the test on an error.
func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v, after\n%s", err, strings.Join(w.trace, "\n"))
	}
}

// path returns the name of a file that is not there.
func (w *world) path() string {
	return fmt.Sprintf("%s/%x", w.dir, w.r.Uint64())
}

// fresh returns some keys, most of which nobody has.
func (w *world) fresh(most int) []uint64 {
	keys := make([]uint64, 1+w.r.IntN(most))
	for i := range keys {
		keys[i] = w.r.Uint64() >> 1
	}
	return keys
}

// redisClient returns a client of a server of its own. Without redis-server, and
// outside of CI, there is none, and nothing is loaded to it.
func redisClient(t *testing.T) *goredis.Client {
	if _, err := exec.LookPath("redis-server"); err != nil && os.Getenv("CI") == "" {
		t.Log("there is no redis-server on the PATH, so that part is left out: install the package redis-server")
		return nil
	}
	return redistest.Start(t).Client(nil)
}

// A set is keys in no order, each once.
type set struct {
	keys  []uint64
	where map[uint64]int
}

func newSet() *set { return &set{where: map[uint64]int{}} }

func (s *set) add(keys ...uint64) {
	for _, k := range keys {
		if _, ok := s.where[k]; !ok {
			s.where[k] = len(s.keys)
			s.keys = append(s.keys, k)
		}
	}
}

func (s *set) remove(k uint64) {
	i, ok := s.where[k]
	if !ok {
		return
	}
	last := s.keys[len(s.keys)-1]
	s.keys[i], s.where[last] = last, i
	s.keys = s.keys[:len(s.keys)-1]
	delete(s.where, k)
}

// some returns up to n of the keys.
func (s *set) some(r *rand.Rand, n int) []uint64 {
	if len(s.keys) == 0 {
		return nil
	}
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = s.keys[r.IntN(len(s.keys))]
	}
	return keys
}
