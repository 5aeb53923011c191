module github.com/linebloom/linebloom/adapter/goleveldb

go 1.25

require (
	github.com/linebloom/linebloom v0.0.0
	github.com/syndtr/goleveldb v1.0.1-0.20220721030215-126854af5e6d
)

require (
	github.com/golang/snappy v0.0.4 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/linebloom/linebloom => ../..
