//go:build !race

package counting

const detector = 1
