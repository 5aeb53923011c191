//go:build race

package scalable

// detector is by how much the race detector makes tests slower, about.
const detector = 20
