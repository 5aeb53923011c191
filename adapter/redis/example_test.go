package redis_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/linebloom/linebloom/adapter/redis"
	"github.com/linebloom/linebloom/blocked"
	goredis "github.com/redis/go-redis/v9"
)

// Many crawlers that share a filter: of all that meet a page, one fetches it.
func ExampleFilter_TestAndAddString() {
	ctx := context.Background()
	client := goredis.NewClient(&goredis.Options{Addr: os.Getenv("REDIS_ADDR")})
	defer client.Close()

	f, err := redis.OpenOrCreate(ctx, client, "crawl", 1_000_000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	for _, url := range []string{"/", "/about", "/"} {
		v, err := f.TestAndAddString(ctx, url)
		if v == redis.Unknown {
			log.Fatal(err)
		}
		fmt.Println(url, v)
	}
	// Output:
	// / new
	// /about new
	// / seen
}

// A batch costs two round trips, however many keys it has, up to 10,000.
func ExampleFilter_TestAndAddStrings() {
	ctx := context.Background()
	client := goredis.NewClient(&goredis.Options{Addr: os.Getenv("REDIS_ADDR")})
	defer client.Close()

	f, err := redis.Create(ctx, client, "links", 1_000_000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	links := []string{"/a", "/b", "/a", "/c"}
	verdicts := make([]redis.Verdict, len(links))
	n, err := f.TestAndAddStrings(ctx, verdicts, links)
	fmt.Println(n, verdicts, err)
	// Output: 3 [new new seen new] <nil>
}

// A filter that was built on one machine is loaded for all, and saved again.
func ExampleLoad() {
	ctx := context.Background()
	client := goredis.NewClient(&goredis.Options{Addr: os.Getenv("REDIS_ADDR")})
	defer client.Close()

	local, err := blocked.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	local.AddString("spam@example.org")
	f, err := redis.Load(ctx, client, "blacklist", local)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.HasString(ctx, "spam@example.org"))

	saved, err := f.Save(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(saved.Equal(local))
	// Output:
	// true <nil>
	// true
}

// A page may be fetched again after two rotations, one a day for example.
func ExampleWindow() {
	ctx := context.Background()
	client := goredis.NewClient(&goredis.Options{Addr: os.Getenv("REDIS_ADDR")})
	defer client.Close()

	w, err := redis.CreateWindow(ctx, client, "days", 2, 1_000_000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	for day := range 4 {
		v, err := w.TestAndAddString(ctx, "/news")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(day, v)
		if err := w.Rotate(ctx); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 new
	// 1 seen
	// 2 new
	// 3 seen
}
