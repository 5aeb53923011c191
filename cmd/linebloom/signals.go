//go:build unix || windows

package main

import (
	"os"
	"syscall"
)

// stopSignals ask a process to stop, and leave it the time to tidy up.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func signalNumber(s os.Signal) int {
	number, _ := s.(syscall.Signal)
	return int(number)
}
