//go:build !linux

package main

// adviseMappings does nothing: other systems choose the size of pages
// themselves.
func adviseMappings() {}
