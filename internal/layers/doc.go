// Package layers holds the test that keeps the packages of this module in their
// layers:
//
//	generic <- {amd64, arm64} <- asm <- blocked <- everything else
package layers
