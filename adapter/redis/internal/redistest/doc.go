// Package redistest starts Redis servers for tests: real ones, from the PATH, on
// free ports of the loopback interface. They end with the test.
package redistest
