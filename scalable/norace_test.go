//go:build !race

package scalable

const detector = 1
