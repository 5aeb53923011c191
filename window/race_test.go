//go:build race

package window

// detector is by how much the race detector makes tests slower, about.
const detector = 10
