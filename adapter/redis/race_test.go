//go:build race

package redis

func init() { raceEnabled = true }
