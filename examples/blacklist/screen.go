package main

import (
	"strings"

	"github.com/linebloom/linebloom/blocked"
)

// A Screen is what a mail server holds: a filter of the listed addresses, and the
// addresses that the filter is known to be wrong about. It may be used by any number
// of goroutines while its list is not changed.
type Screen struct {
	filter     *blocked.Filter
	exceptions map[string]struct{}
}

// Blocks reports whether mail from the address is refused. It is for every listed
// address, and for no address that an audit has seen.
func (s *Screen) Blocks(address string) bool {
	address = normal(address)
	if !s.filter.HasString(address) {
		return false
	}
	_, wrong := s.exceptions[address]
	return !wrong
}

// normal returns the one form of an address that is listed and looked up. Most
// servers ignore the case of the part before the @ too.
func normal(address string) string {
	return strings.ToLower(strings.TrimSpace(address))
}
