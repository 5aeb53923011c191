module github.com/linebloom/linebloom

go 1.25

require (
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sys v0.41.0
)
