//go:build race

package pebble

func init() { raceEnabled = true }
