//go:build race

package filterfile

// detector is by how much the race detector makes tests slower, about.
const detector = 4
