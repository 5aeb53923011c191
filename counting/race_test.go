//go:build race

package counting

// detector is by how much the race detector makes tests slower, about.
const detector = 20
