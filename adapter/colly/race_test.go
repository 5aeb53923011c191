//go:build race

package colly

func init() { raceEnabled = true }
