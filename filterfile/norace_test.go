//go:build !race

package filterfile

const detector = 1
