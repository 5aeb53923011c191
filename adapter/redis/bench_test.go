package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/linebloom/linebloom/adapter/redis/redistest"
)

// BenchmarkURLs compares with the article's filter on the same server, a third of
// the URLs being new: every round does some with each, one after the other. The
// ratios are how many URLs a second are decided, as multiples of the article's.
func BenchmarkURLs(b *testing.B) {
	client := redistest.Start(b).Client(nil)
	article := articleFilter{client, "article"}
	const part, batch = 300, 10_000
	one := mustCreate(b, client, "one", 10_000_000, 0.001)
	many := mustCreate(b, client, "many", 10_000_000, 0.001)
	var spent [3]time.Duration
	next, nextBatch := uint64(0), uint64(0)
	for b.Loop() {
		urls := make([]string, part)
		for i := range urls {
			urls[i] = url(next + uint64(i)/3)
		}
		next += part / 3
		spent[0] += timed(b, func() error {
			for _, u := range urls {
				if _, err := article.seen(u); err != nil {
					return err
				}
			}
			return nil
		})
		spent[1] += timed(b, func() error {
			for _, u := range urls {
				if _, err := one.TestAndAddString(ctx, u); err != nil {
					return err
				}
			}
			return nil
		})
		urls = make([]string, batch)
		for i := range urls {
			urls[i] = url(nextBatch + uint64(i)/3)
		}
		nextBatch += batch / 3
		verdicts := make([]Verdict, batch)
		spent[2] += timed(b, func() error {
			_, err := many.TestAndAddStrings(ctx, verdicts, urls)
			return err
		})
	}
	perURL := func(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / float64(b.N) / float64(n) }
	a := perURL(spent[0], part)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(a, "article-ns/URL")
	b.ReportMetric(perURL(spent[1], part), "one-ns/URL")
	b.ReportMetric(perURL(spent[2], batch), "batch-ns/URL")
	b.ReportMetric(a/perURL(spent[1], part), "one-ratio")
	b.ReportMetric(a/perURL(spent[2], batch), "batch-ratio")
}

func timed(b *testing.B, do func() error) time.Duration {
	start := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkBatch measures batches that are all new, or all seen.
func BenchmarkBatch(b *testing.B) {
	client := redistest.Start(b).Client(nil)
	for _, n := range []int{1, 10, 100, 1000, 10_000} {
		for _, seen := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/seen=%v", n, seen), func(b *testing.B) {
				f := mustCreate(b, client, "f", 10_000_000, 0.001, Replace())
				keys, verdicts := make([]uint64, n), make([]Verdict, n)
				for i := range keys {
					keys[i] = uint64(i)
				}
				for b.Loop() {
					if !seen {
						for i := range keys {
							keys[i] += uint64(n)
						}
					}
					if _, err := f.TestAndAddUint64s(ctx, verdicts, keys); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
			})
		}
	}
}
