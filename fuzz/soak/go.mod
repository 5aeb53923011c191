module github.com/linebloom/linebloom/fuzz/soak

go 1.25

require (
	github.com/linebloom/linebloom v0.0.0
	github.com/linebloom/linebloom/adapter/redis v0.0.0
	github.com/redis/go-redis/v9 v9.22.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.uber.org/atomic v1.11.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace (
	github.com/linebloom/linebloom => ../..
	github.com/linebloom/linebloom/adapter/redis => ../../adapter/redis
)
