module github.com/linebloom/linebloom/examples

go 1.25

require (
	github.com/gocolly/colly/v2 v2.3.0
	github.com/linebloom/linebloom v0.0.0
	github.com/linebloom/linebloom/adapter/colly v0.0.0
	github.com/linebloom/linebloom/adapter/redis v0.0.0
	github.com/redis/go-redis/v9 v9.22.0
	go.etcd.io/bbolt v1.4.3
	golang.org/x/sync v0.19.0
)

require (
	github.com/PuerkitoBio/goquery v1.11.0 // indirect
	github.com/andybalholm/cascadia v1.3.3 // indirect
	github.com/antchfx/htmlquery v1.3.5 // indirect
	github.com/antchfx/xmlquery v1.5.0 // indirect
	github.com/antchfx/xpath v1.3.5 // indirect
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	github.com/kennygrant/sanitize v1.2.4 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	github.com/saintfish/chardet v0.0.0-20230101081208-5e3ef4b5456d // indirect
	github.com/temoto/robotstxt v1.1.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.uber.org/atomic v1.11.0 // indirect
	golang.org/x/net v0.47.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
	golang.org/x/text v0.31.0 // indirect
	google.golang.org/appengine v1.6.8 // indirect
	google.golang.org/protobuf v1.36.10 // indirect
)

replace (
	github.com/linebloom/linebloom => ..
	github.com/linebloom/linebloom/adapter/colly => ../adapter/colly
	github.com/linebloom/linebloom/adapter/redis => ../adapter/redis
)
