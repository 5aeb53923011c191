package main

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"net/url"
)

// fingerprint returns what requests have in common that are the same: client,
// method, path, parameters in any order, and body. Values of one parameter keep
// their order, which may mean something.
func fingerprint(client string, r *http.Request, body []byte) []byte {
	query := r.URL.RawQuery
	// Parsing drops what it cannot understand. Such a query is compared as it is.
	if params, err := url.ParseQuery(query); err == nil {
		query = params.Encode() // sorted
	}
	content := sha256.Sum256(body)
	var all []byte
	for _, part := range []string{client, r.Method, r.URL.EscapedPath(), query, string(content[:])} {
		// With its length before it no part can be taken for two.
		all = binary.AppendUvarint(all, uint64(len(part)))
		all = append(all, part...)
	}
	sum := sha256.Sum256(all)
	return sum[:]
}
