//go:build !race

package window

const detector = 1
