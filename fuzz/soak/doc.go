// Command soak runs what linebloom's reliability rests on, for as long as it is told
// to: random operations on filters of all kinds against exact sets, kernels against
// the specification, crashes and faults of files and of Redis, and fuzzing.
//
//	go run ./fuzz/soak -minutes 60
//
// It runs from the root of the repository and needs Go, strace and redis-server. Its
// stages are tests of the packages, with other seeds and larger counts than in CI, one
// after the other and again until the time is over. It ends with a table, and with
// exit code 1 if a stage has failed, whose output is printed.
package main
