module github.com/linebloom/linebloom/examples

go 1.25

require (
	github.com/linebloom/linebloom v0.0.0
	go.etcd.io/bbolt v1.4.3
	golang.org/x/sync v0.19.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/linebloom/linebloom => ..
