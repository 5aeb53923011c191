//go:build !linux

package main

// cpus returns nothing: there is no portable way to choose a CPU.
func cpus() []int { return nil }

func pin(int) bool { return false }
