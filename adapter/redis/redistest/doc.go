// Package redistest starts Redis servers for tests: real ones, from the PATH, on
// free ports of the loopback interface. They end with the test.
//
// Servers in pure Go cannot stand in for them: miniredis, for one, has no BITFIELD.
package redistest
