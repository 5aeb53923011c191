//go:build !(unix || windows)

package main

import "os"

// stopSignals ask a process to stop, and leave it the time to tidy up.
var stopSignals = []os.Signal{os.Interrupt}

// signalNumber returns that of SIGINT elsewhere.
func signalNumber(os.Signal) int { return 2 }
