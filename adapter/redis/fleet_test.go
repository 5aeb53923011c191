package redis

import (
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
	"github.com/linebloom/linebloom/blocked"
	"github.com/redis/go-redis/v9"
)

// fewer is a number of keys for every day: a tenth of n, unless LINEBLOOM_LONG is
// set, and less under -short and the race detector.
func fewer(n int) int {
	switch {
	case os.Getenv("LINEBLOOM_LONG") != "":
		return n
	case testing.Short() || raceEnabled:
		return n / 50
	}
	return n / 10
}

// raceEnabled is set in race builds, which are some ten times slower.
var raceEnabled bool

// links returns n URLs as crawlers meet them, of which about two thirds were met
// before, by number.
func links(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([]uint64, n)
	for i := range list {
		list[i] = r.Uint64N(uint64(n) / 3)
	}
	return list
}

// Eight crawlers share a filter: of every URL at most one is told that it is new,
// and exactly one but for false positives.
func TestAFleetGetsEveryURLOnce(t *testing.T) {
	t.Parallel()
	const workers = 8
	server := redistest.Start(t)
	for name, batch := range map[string]int{"one by one": 1, "in batches": 1000} {
		t.Run(name, func(t *testing.T) {
			n := fewer(1_000_000)
			all := links(42, n)
			var traffic redistest.Traffic
			client := server.Client(func(o *redis.Options) { o.Dialer = traffic.Dial })
			if _, err := Create(ctx, client, name, uint64(n)/3, 0.001, withShards(64<<10)); err != nil {
				t.Fatal(err)
			}
			traffic.Reset()
			var mu sync.Mutex
			told := make(map[uint64]int)
			var wg sync.WaitGroup
			for i := range workers {
				f, err := Open(ctx, client, name)
				if err != nil {
					t.Fatal(err)
				}
				wg.Go(func() {
					for _, x := range work(t, f, all[i*n/workers:(i+1)*n/workers], batch) {
						mu.Lock()
						told[x]++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			checkFleet(t, told, all)
			per := func(x int64) float64 { return float64(x) / float64(n) }
			trips := traffic.RoundTrips.Load()
			t.Logf("%d URLs, %d different: %.4f round trips, %.0f bytes sent and %.0f received per URL",
				n, len(told), per(trips), per(traffic.Sent.Load()), per(traffic.Received.Load()))
			// A batch with new URLs costs two round trips, and a URL that is seen one.
			// Some more are spent on greetings, and on URLs that two crawlers
			// meet at the same time.
			limit := int64(2 * n / batch)
			if batch == 1 {
				limit = int64(n+len(told)) * 51 / 50
			}
			if limit += 100; trips > limit {
				t.Errorf("%d round trips, want at most %d", trips, limit)
			}
		})
	}
}

// work is a crawler: it returns the URLs that it was told are new.
func work(t *testing.T, f *Filter, urls []uint64, batch int) (news []uint64) {
	verdicts := make([]Verdict, batch)
	for len(urls) > 0 {
		part := urls[:min(batch, len(urls))]
		urls = urls[len(part):]
		keys := make([]string, len(part))
		for i, x := range part {
			keys[i] = url(x)
		}
		var err error
		if batch == 1 {
			verdicts[0], err = f.TestAndAddString(ctx, keys[0])
		} else {
			_, err = f.TestAndAddStrings(ctx, verdicts[:len(part)], keys)
		}
		if err != nil {
			t.Error(err)
			return news
		}
		for i, x := range part {
			if verdicts[i] == New {
				news = append(news, x)
			}
		}
	}
	return news
}

// checkFleet compares what the crawlers were told with the truth.
func checkFleet(t *testing.T, told map[uint64]int, met []uint64) {
	t.Helper()
	exact := make(map[uint64]bool)
	for _, x := range met {
		exact[x] = true
	}
	missed := 0
	for x := range exact {
		if told[x] > 1 {
			t.Errorf("URL %d was new %d times", x, told[x])
		}
		if told[x] == 0 {
			missed++
		}
	}
	for x := range told {
		if !exact[x] {
			t.Errorf("URL %d was never met", x)
		}
	}
	// At capacity 0.1 % of new URLs look seen, and on the way there fewer. Five
	// standard deviations more are not chance.
	rate := 0.001 * float64(len(exact))
	if limit := rate + 5*math.Sqrt(rate); float64(missed) > limit {
		t.Errorf("%d of %d URLs were new to nobody, want at most %.0f", missed, len(exact), limit)
	}
	t.Logf("%d of %d URLs were taken for others", missed, len(exact))
}

// What the article's filter costs on the same wire.
func TestTheArticlesRoundTrips(t *testing.T) {
	var traffic redistest.Traffic
	client := redistest.Start(t).Client(func(o *redis.Options) { o.Dialer = traffic.Dial })
	a := articleFilter{client, "article"}
	if _, err := a.seen(url(0)); err != nil { // opens the connection
		t.Fatal(err)
	}
	for _, want := range []struct {
		seen  bool
		trips int64
	}{{false, 2 * articleHashes}, {true, articleHashes}} {
		traffic.Reset()
		const n = 100
		for i := range uint64(n) {
			if got, err := a.seen(url(i + 1)); got != want.seen || err != nil {
				t.Fatal(got, err)
			}
		}
		if got := traffic.RoundTrips.Load(); got != n*want.trips {
			t.Errorf("%d round trips for %d URLs, want %d", got, n, n*want.trips)
		}
		t.Logf("seen %v: %d round trips, %d bytes sent and %d received per URL", want.seen,
			want.trips, traffic.Sent.Load()/n, traffic.Received.Load()/n)
	}
}

// The round trips that the documentation promises.
func TestRoundTrips(t *testing.T) {
	var traffic redistest.Traffic
	client := redistest.Start(t).Client(func(o *redis.Options) { o.Dialer = traffic.Dial })
	f := mustCreate(t, client, "f", 100_000, 0.001, withShards(32<<10))
	hashes := make([]uint64, 10_000)
	for i := range hashes {
		hashes[i] = blocked.HashUint64(0, uint64(i))
	}
	verdicts, answers := make([]Verdict, len(hashes)), make([]uint64, len(hashes)/64+1)
	try := func(what string, want int64, do func() error) {
		t.Helper()
		traffic.Reset()
		if err := do(); err != nil {
			t.Fatal(what, err)
		}
		// A pipeline that fills the buffer is sent in parts, and answers to the
		// first may arrive before the last is sent; but none is waited for.
		got := traffic.RoundTrips.Load()
		t.Logf("%s: %d round trips", what, got)
		if got != want {
			t.Errorf("%s: %d round trips, want %d", what, got, want)
		}
	}
	one := blocked.HashUint64(0, 1<<40)
	try("Has, absent", 1, func() error { _, err := f.HasHash(ctx, one); return err })
	try("TestAndAdd, new", 2, func() error { _, err := f.TestAndAddHash(ctx, one); return err })
	try("TestAndAdd, seen", 1, func() error { _, err := f.TestAndAddHash(ctx, one); return err })
	try("Has, present", 1, func() error { _, err := f.HasHash(ctx, one); return err })
	try("Add", 1, func() error { return f.AddHash(ctx, one) })
	try("10,000 absent", 1, func() error { _, err := f.HasHashes(ctx, answers, hashes); return err })
	try("10,000 new", 2, func() error { _, err := f.TestAndAddHashes(ctx, verdicts, hashes); return err })
	try("10,000 seen", 1, func() error { _, err := f.TestAndAddHashes(ctx, verdicts, hashes); return err })
	try("10,000 added", 1, func() error { return f.AddHashes(ctx, hashes) })
}
